import { Group, Select } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { Item } from '@vigencia/client'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { addDays } from '../../../../src/kernel/calendar.ts'
import { CONTINUATION_STATUSES, ENDING_DAYS } from '../../../../src/coverage/rules/continuation.ts'
import { usePagedList } from '../../api/use-paged-list.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { TextLink } from '../../components/link.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Value } from '../../components/value.tsx'
import { saoPauloDay } from '../../format/date.ts'
import { column, date, text } from '../../lists/columns.tsx'
import { CompanySelect } from '../invoices/company-select.tsx'
import { Calculator } from './calculator.tsx'
import type { ContinuationsSearch } from './search.ts'
import { ContinuationStatusBadge } from './status-badge.tsx'
import { Term } from './term.tsx'

const route = getRouteApi('/shell/continuations')

type Listed = Item<'listAllContinuations'>

const columnsOf = (t: TFunction<'continuations'>): readonly Column<Listed>[] => [
  column(t('member'), 'minmax(11rem, 1fr)', (one) => (
    <TextLink to="/continuations/$continuationId" params={{ continuationId: one['continuation-id'] }}>
      <Value>{one['member-name']}</Value>
    </TextLink>
  )),
  column(t('status'), '11rem', (one) => <ContinuationStatusBadge status={one.status} />),
  date(t('dueDate'), 'due-date'),
  column(t('ground'), '12rem', (one) => t(`grounds.${one.ground}`)),
  column(t('term'), '7rem', (one) => <Term months={one.months} withoutEnd={one['without-end']} />),
  date(t('termEnd'), 'term-end'),
  text(t('company'), 'company-name'),
  text(t('product'), 'product-name', '10rem'),
]

/** The plans that families keep after a dismissal or a retirement, and a calculator. */
export function ContinuationsPage() {
  const { t } = useTranslation('continuations')
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { within, ...filters } = search
  const list = usePagedList('listAllContinuations', {
    ...filters,
    ...(within === undefined ? {} : { 'due-until': addDays(saoPauloDay(), ENDING_DAYS) }),
  })
  const change = (part: { readonly [Name in keyof ContinuationsSearch]: string | null }) => {
    const next = Object.entries({ ...search, ...part }).filter(([, value]) => value !== null)
    void navigate({ search: Object.fromEntries(next) as ContinuationsSearch, replace: true })
  }
  const optional = (label: string) => ({
    label,
    clearable: true,
    clearButtonProps: { 'aria-label': t('clear', { field: label }) },
    placeholder: t('any'),
  })
  return (
    <>
      <PageHeader title={t('title')}>
        <Calculator />
      </PageHeader>
      <Group mb="md" align="flex-end">
        <Select
          {...optional(t('status'))}
          value={search.status ?? null}
          onChange={(status) => change({ status })}
          data={CONTINUATION_STATUSES.map((value) => ({ value, label: t(`statuses.${value}`) }))}
        />
        <Select
          {...optional(t('dueDate'))}
          value={within ?? null}
          onChange={(value) => change({ within: value })}
          data={[{ value: '60', label: t('soon') }]}
        />
        <CompanySelect
          label={t('company')}
          value={search['company-tax-id'] ?? null}
          onChange={(taxId) => change({ 'company-tax-id': taxId })}
        />
      </Group>
      <DataTable
        label={t('title')}
        columns={columnsOf(t)}
        list={list}
        idOf={(one) => one['continuation-id']}
        empty={t('empty')}
      />
    </>
  )
}
