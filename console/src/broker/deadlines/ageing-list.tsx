import { Anchor, Select } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Item } from '@vigencia/client'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { usePagedList } from '../../api/use-paged-list.ts'
import type { Column } from '../../components/data-table.tsx'
import { DateValue, Value } from '../../components/value.tsx'
import { DaysLeft } from './days-left.tsx'
import { companyOf, DueList } from './due-list.tsx'
import type { ListProps } from './search.ts'

type Ageing = Item<'listAgeingOut'>

const columnsOf = (t: TFunction<['deadlines', 'terms']>): readonly Column<Ageing>[] => [
  {
    id: 'lastDay',
    header: t('deadlines:lastDay'),
    width: '12rem',
    cell: (one) => <DaysLeft day={one['last-day']} days={one['days-left']} />,
  },
  {
    id: 'member',
    header: t('deadlines:dependent'),
    width: 'minmax(11rem, 1fr)',
    cell: (one) => (
      <Anchor
        size="sm"
        renderRoot={(props) => <Link to="/members/$memberId" params={{ memberId: one['member-id'] }} {...props} />}
      >
        <Value>{one['member-name']}</Value>
      </Anchor>
    ),
  },
  {
    id: 'kinship',
    header: t('deadlines:kinship'),
    width: '8rem',
    cell: (one) => t(`terms:dependentType.${one['dependent-type']}`),
  },
  {
    id: 'company',
    header: t('deadlines:company'),
    width: 'minmax(9rem, 1fr)',
    cell: (one) => <Value>{one['company-name']}</Value>,
  },
  {
    id: 'product',
    header: t('deadlines:product'),
    width: '11rem',
    cell: (one) => <Value>{one['product-name']}</Value>,
  },
  {
    id: 'student',
    header: t('deadlines:studentUntil'),
    width: '9rem',
    cell: (one) => <DateValue value={one['student-until']} />,
  },
]

/** The dependents whose age ends their benefits. */
export function AgeingList({ search, onChange }: ListProps) {
  const { t } = useTranslation(['deadlines', 'terms'])
  const { days = '60' } = search
  const list = usePagedList('listAgeingOut', {
    'within-days': days,
    ...companyOf(search),
  })
  return (
    <DueList
      search={search}
      onChange={onChange}
      label={t('deadlines:views.ageing')}
      columns={columnsOf(t)}
      list={list}
      idOf={(one) => one['benefit-id']}
      empty={t('deadlines:noAgeing')}
    >
      <Select
        label={t('deadlines:endsIn')}
        allowDeselect={false}
        value={days}
        onChange={(value) => onChange({ days: value === '60' ? null : value })}
        data={['60', '30', '0'].map((value) => ({ value, label: t(`deadlines:within.${value as '0'}`) }))}
      />
    </DueList>
  )
}
