import { Button, Group, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { Item } from '@vigencia/client'
import type { TFunction } from 'i18next'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { INVOICE_STATUSES } from '../../../../src/kernel/enums.ts'
import { operationQuery } from '../../api/use-operation.ts'
import { usePagedList } from '../../api/use-paged-list.ts'
import { Choice } from '../../components/choice.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { DateField } from '../../components/date-field.tsx'
import { TextLink } from '../../components/link.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { MoneyValue, Value } from '../../components/value.tsx'
import { formatPeriod } from '../../format/month.ts'
import { column, text, date, money, number } from '../../lists/columns.tsx'
import { usePermission } from '../../session/use-permission.ts'
import { CompanySelect } from './company-select.tsx'
import { ExportButton } from './export-button.tsx'
import { InvoiceForm } from './invoice-form.tsx'
import { InvoiceStatusBadge } from './invoice-status.tsx'
import { type InvoicesSearch, invoicesSearchOf } from './search.ts'

type Invoice = Item<'listAllInvoices'>

const route = getRouteApi('/shell/invoices')

const columnsOf = (t: TFunction<['invoices', 'terms', 'states']>): readonly Column<Invoice>[] => [
  column(t('invoiceTitle'), 'minmax(7.5rem, 1fr)', (invoice) => (
    <TextLink to="/invoices/$invoiceId" params={{ invoiceId: invoice.id }}>
      <Value>{invoice.id}</Value>
    </TextLink>
  )),
  text(t('company'), 'company-name', 'minmax(10rem, 2fr)'),
  text(t('carrier'), 'carrier-name', 'minmax(8rem, 1fr)'),
  text(
    t('period'),
    (invoice) => formatPeriod(invoice['reference-period-start'], invoice['reference-period-end']),
    '11.5rem',
  ),
  date(t('dueDate'), 'due-date', '6.5rem'),
  money(t('amount'), 'amount'),
  column(t('status'), '7rem', (invoice) => <InvoiceStatusBadge status={invoice['invoice-status']} />),
  number(t('files'), (invoice) => invoice.files.length, '5.75rem'),
]

/** The invoices of all companies, by due date. */
export function InvoicesPage() {
  const { t } = useTranslation(['invoices', 'terms', 'states'])
  const search = route.useSearch()
  const list = usePagedList('listAllInvoices', search)
  const mayWrite = usePermission('putInvoice')
  const [isCreating, setCreating] = useState(false)
  return (
    <>
      <PageHeader title={t('title')}>
        <ExportButton search={search} />
        {mayWrite && <Button onClick={() => setCreating(true)}>{t('create')}</Button>}
      </PageHeader>
      <Filters search={search} />
      <Totals search={search} />
      <DataTable
        label={t('title')}
        unit="invoices"
        columns={columnsOf(t)}
        list={list}
        idOf={(invoice) => `${invoice['company-id']} ${invoice.id}`}
        empty={t('empty')}
      />
      {isCreating && <InvoiceForm invoice={null} onClose={() => setCreating(false)} />}
    </>
  )
}

/** The totals of all invoices that the filters select. */
function Totals({ search }: { readonly search: InvoicesSearch }) {
  const { t } = useTranslation('invoices')
  const query = useQuery({
    ...operationQuery('listAllInvoices', { query: { ...search, 'items-per-page': 1 } }),
    placeholderData: keepPreviousData,
  })
  if (query.data === undefined) return null
  return (
    <Text size="sm" mb="xs" role="status">
      {t('total')}{' '}
      <Text span fw={700}>
        <MoneyValue value={query.data.totals.amount} />
      </Text>
    </Text>
  )
}

function Filters({ search }: { readonly search: InvoicesSearch }) {
  const { t } = useTranslation(['invoices', 'terms', 'states'])
  const navigate = route.useNavigate()
  const change = (changed: { readonly [Key in keyof InvoicesSearch]: InvoicesSearch[Key] | undefined }) =>
    void navigate({ search: (former) => invoicesSearchOf({ ...former, ...changed }), replace: true })
  return (
    <Group align="flex-end" mb="md" gap="sm" role="search" aria-label={t('states:filters')}>
      <Choice
        label={t('status')}
        any={t('any')}
        value={search.status}
        data={INVOICE_STATUSES.map((value) => ({ value, label: t(`terms:invoiceStatus.${value}`) }))}
        onChange={(status) => change({ status })}
      />
      <CompanySelect
        label={t('company')}
        value={search['company-tax-id'] ?? null}
        onChange={(taxId) => change({ 'company-tax-id': taxId ?? undefined })}
      />
      <DateField
        label={t('from')}
        value={search['from-dt'] ?? null}
        onChange={(value) => change({ 'from-dt': value ?? undefined })}
      />
      <DateField
        label={t('until')}
        value={search['until-dt'] ?? null}
        onChange={(value) => change({ 'until-dt': value ?? undefined })}
      />
      {Object.keys(search).length > 0 && (
        <Button variant="default" onClick={() => void navigate({ search: {} })}>
          {t('states:clearFilters')}
        </Button>
      )}
    </Group>
  )
}
