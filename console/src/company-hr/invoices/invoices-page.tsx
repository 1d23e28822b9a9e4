import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Company, Item } from '@vigencia/client'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { usePagedList } from '../../api/use-paged-list.ts'
import { companyApi } from '../../entities/company-hr/client.ts'
import { OfCompany } from '../../entities/company-hr/of-company.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { DateValue, MoneyValue, NumberValue, TextValue, Value } from '../../components/value.tsx'
import { formatPeriod } from '../../format/month.ts'
import { InvoiceStatusBadge } from '../../broker/invoices/invoice-status.tsx'

type Invoice = Item<'listInvoices'>

const columnsOf = (t: TFunction<['invoices', 'terms']>): readonly Column<Invoice>[] => [
  {
    id: 'id',
    header: t('invoiceTitle'),
    width: 'minmax(9rem, 1fr)',
    cell: ({ id }) => (
      <Anchor
        size="sm"
        translate="no"
        renderRoot={(props) => <Link to="/hr/invoices/$invoiceId" params={{ invoiceId: id }} {...props} />}
      >
        {id}
      </Anchor>
    ),
  },
  { id: 'due-date', header: t('dueDate'), width: '7rem', cell: (invoice) => <DateValue value={invoice['due-date']} /> },
  {
    id: 'amount',
    header: t('amount'),
    width: '8.5rem',
    isNumeric: true,
    cell: (invoice) => <MoneyValue value={invoice.amount} />,
  },
  {
    id: 'status',
    header: t('status'),
    width: '9.5rem',
    cell: (invoice) => <InvoiceStatusBadge status={invoice['invoice-status']} />,
  },
  {
    id: 'carrier',
    header: t('carrier'),
    width: 'minmax(9rem, 1fr)',
    cell: (invoice) => <TextValue value={invoice['carrier-name']} />,
  },
  {
    id: 'period',
    header: t('period'),
    width: '11.5rem',
    cell: (invoice) => (
      <Value>{formatPeriod(invoice['reference-period-start'], invoice['reference-period-end'])}</Value>
    ),
  },
  {
    id: 'files',
    header: t('files'),
    width: '6rem',
    isNumeric: true,
    cell: (invoice) => <NumberValue value={invoice.files.length} />,
  },
]

/** The invoices of the company, by due date. */
export function InvoicesPage() {
  const { t } = useTranslation('invoices')
  return (
    <>
      <PageHeader title={t('title')} />
      <OfCompany>{(company) => <Invoices company={company} />}</OfCompany>
    </>
  )
}

function Invoices({ company }: { readonly company: Company }) {
  const { t } = useTranslation(['invoices', 'terms'])
  const list = usePagedList('listInvoices', { 'company-tax-id': company['tax-id'] }, { client: companyApi })
  return (
    <DataTable label={t('title')} unit="invoices" columns={columnsOf(t)} list={list} idOf={(invoice) => invoice.id} />
  )
}
