import { Select } from '@mantine/core'
import type { Item } from '@vigencia/client'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { usePagedList } from '../../api/use-paged-list.ts'
import type { Column } from '../../components/data-table.tsx'
import { TextLink } from '../../components/link.tsx'
import { Value } from '../../components/value.tsx'
import { asTitle, column, date, due, text } from '../../lists/columns.tsx'
import { companyOf, DueList } from './due-list.tsx'
import type { ListProps } from './search.ts'

type Ageing = Item<'listAgeingOut'>

const columnsOf = (t: TFunction<['deadlines', 'terms']>): readonly Column<Ageing>[] => [
  due(t('deadlines:lastDay'), 'last-day', { hasDay: true }),
  asTitle(
    column(t('deadlines:dependent'), 'minmax(15rem, 2fr)', (one) => (
      <TextLink to="/members/$memberId" params={{ memberId: one['member-id'] }}>
        <Value>{one['member-name']}</Value>
      </TextLink>
    )),
  ),
  column(t('deadlines:kinship'), '8rem', (one) => t(`terms:dependentType.${one['dependent-type']}`)),
  text(t('deadlines:company'), 'company-name', 'minmax(12rem, 1fr)'),
  text(t('deadlines:product'), 'product-name', '11rem'),
  date(t('deadlines:studentUntil'), 'student-until', '9rem'),
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
