import { Anchor, Select } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Item } from '@vigencia/client'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { addDays } from '../../../../src/kernel/calendar.ts'
import { LISTED_DEADLINES } from '../../../../src/coverage/rules/deadline.ts'
import { usePagedList } from '../../api/use-paged-list.ts'
import type { Column } from '../../components/data-table.tsx'
import { Value } from '../../components/value.tsx'
import { useOperatorNames, useOperators } from '../../entities/decisions/use-operator-names.ts'
import { businessDate } from '../../format/date.ts'
import { asTitle, column, due, text } from '../../lists/columns.tsx'
import { useSession } from '../../session/session.ts'
import { companyOf, DueList } from './due-list.tsx'
import type { ListProps } from './search.ts'

type Deadline = Item<'listDeadlines'>

const columnsOf = (
  t: TFunction<['deadlines', 'terms']>,
  nameOf: (clientId: string) => string,
): readonly Column<Deadline>[] => [
  due(t('deadlines:until'), 'until', { hasDay: true }),
  column(t('deadlines:kindOf'), '11.5rem', (one) => t(`deadlines:kind.${one.kind}`)),
  asTitle(
    column(t('deadlines:movement'), 'minmax(16rem, 2fr)', (one) => (
      <>
        {one['continuation-id'] !== null
          ? t('deadlines:continuation')
          : one['enrollment-type'] !== null && t(`terms:type.${one['enrollment-type']}`)}
        :{' '}
        <Anchor
          size="sm"
          renderRoot={(props) =>
            one['continuation-id'] !== null ? (
              <Link
                to="/continuations/$continuationId"
                params={{ continuationId: one['continuation-id'] }}
                {...props}
              />
            ) : (
              <Link to="/queue/$enrollmentId" params={{ enrollmentId: one['enrollment-id'] ?? '' }} {...props} />
            )
          }
        >
          <Value>{one['member-name']}</Value>
        </Anchor>
      </>
    )),
  ),
  text(t('deadlines:company'), 'company-name', 'minmax(12rem, 1fr)'),
  text(t('deadlines:product'), 'product-name', 'minmax(10rem, 1fr)'),
  text(t('deadlines:assignee'), ({ assignee }) => (assignee === null ? '—' : nameOf(assignee)), '7rem'),
  text(t('deadlines:norm'), (one) => one.norm, '8rem'),
]

/** The open deadlines of movements, the earliest first. */
export function DeadlineList({ search, onChange }: ListProps) {
  const { t } = useTranslation(['deadlines', 'terms'])
  const session = useSession()
  const operators = useOperators() ?? []
  const nameOf = useOperatorNames()
  const { days, kind, assignee } = search
  const me = session?.['client-id'] ?? ''
  const list = usePagedList('listDeadlines', {
    ...(kind === undefined ? {} : { kind }),
    ...(days === undefined ? {} : { 'until-dt': addDays(businessDate(), Number(days)) }),
    ...companyOf(search),
    ...(assignee === undefined ? {} : { assignee }),
  })
  const optional = (label: string) => ({
    label,
    clearable: true,
    clearButtonProps: { 'aria-label': t('deadlines:clear', { field: label }) },
    placeholder: t('deadlines:any'),
  })
  return (
    <DueList
      search={search}
      onChange={onChange}
      label={t('deadlines:views.deadlines')}
      columns={columnsOf(t, nameOf)}
      list={list}
      idOf={(one) => `${one['continuation-id'] ?? one['enrollment-id']} ${one.kind}`}
      empty={t('deadlines:noDeadlines')}
    >
      <Select
        {...optional(t('deadlines:due'))}
        value={days ?? null}
        onChange={(value) => onChange({ days: value })}
        data={['-1', '0', '7', '30'].map((value) => ({ value, label: t(`deadlines:dueIn.${value as '0'}`) }))}
      />
      <Select
        {...optional(t('deadlines:kindOf'))}
        value={kind ?? null}
        onChange={(value) => onChange({ kind: value })}
        data={LISTED_DEADLINES.map((value) => ({ value, label: t(`deadlines:kind.${value}`) }))}
      />
      <Select
        {...optional(t('deadlines:assignee'))}
        value={assignee ?? null}
        onChange={(value) => onChange({ assignee: value })}
        data={[
          { value: me, label: t('deadlines:me') },
          { value: 'none', label: t('deadlines:nobody') },
          ...operators
            .filter((one) => one['client-id'] !== me)
            .map((one) => ({ value: one['client-id'], label: one.name })),
        ]}
        renderOption={({ option }) => (
          <span translate={option.value === me || option.value === 'none' ? 'yes' : 'no'}>{option.label}</span>
        )}
      />
    </DueList>
  )
}
