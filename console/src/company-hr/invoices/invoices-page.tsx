import type { Company, Item } from '@vigencia/client'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { usePagedList } from '../../api/use-paged-list.ts'
import { companyApi } from '../../entities/company-hr/client.ts'
import { OfCompany } from '../../entities/company-hr/of-company.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { formatPeriod } from '../../format/month.ts'
import { InvoiceStatusBadge } from '../../broker/invoices/invoice-status.tsx'
import { TextLink } from '../../components/link.tsx'
import { column, date, money, text, number } from '../../lists/columns.tsx'

type Invoice = Item<'listInvoices'>

const columnsOf = (t: TFunction<['invoices', 'terms']>): readonly Column<Invoice>[] => [
  column(t('invoiceTitle'), 'minmax(9rem, 1fr)', ({ id }) => (
    <TextLink to="/hr/invoices/$invoiceId" params={{ invoiceId: id }} translate="no">
      {id}
    </TextLink>
  )),
  date(t('dueDate'), 'due-date'),
  money(t('amount'), 'amount', '8.5rem'),
  column(t('status'), '9.5rem', (invoice) => <InvoiceStatusBadge status={invoice['invoice-status']} />),
  text(t('carrier'), 'carrier-name'),
  text(
    t('period'),
    (invoice) => formatPeriod(invoice['reference-period-start'], invoice['reference-period-end']),
    '11.5rem',
  ),
  number(t('files'), (invoice) => invoice.files.length),
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
