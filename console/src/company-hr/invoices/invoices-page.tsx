import { useTranslation } from 'react-i18next'
import { companyApi } from '../../entities/company-hr/client.ts'
import { OfCompany } from '../../entities/company-hr/of-company.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { formatPeriod } from '../../format/month.ts'
import { InvoiceStatusBadge, isUnpaid } from '../../entities/invoices/invoice-status.tsx'
import { TextLink } from '../../components/link.tsx'
import { column, due, money, number, side, text } from '../../lists/columns.tsx'
import { listTable } from '../../lists/list-page.tsx'

const Table = listTable('listInvoices')

/** The invoices of the company, by due date. */
export function InvoicesPage() {
  const { t } = useTranslation(['invoices', 'terms'])
  return (
    <>
      <PageHeader title={t('title')} />
      <OfCompany>
        {(company) => (
          <Table
            label={t('title')}
            query={{ 'company-tax-id': company['tax-id'] }}
            options={{ client: companyApi }}
            unit="invoices"
            columns={[
              column(t('invoiceTitle'), 'minmax(9rem, 1fr)', ({ id }) => (
                <TextLink to="/hr/invoices/$invoiceId" params={{ invoiceId: id }} translate="no">
                  {id}
                </TextLink>
              )),
              due(t('dueDate'), 'due-date', { isOpen: isUnpaid }),
              money(t('amount'), 'amount', '8.5rem'),
              side(t('status'), '9.5rem', (invoice) => <InvoiceStatusBadge status={invoice['invoice-status']} />),
              text(t('carrier'), 'carrier-name'),
              text(
                t('period'),
                (invoice) => formatPeriod(invoice['reference-period-start'], invoice['reference-period-end']),
                '11.5rem',
              ),
              number(t('files'), (invoice) => invoice.files.length),
            ]}
            idOf={(invoice) => invoice.id}
          />
        )}
      </OfCompany>
    </>
  )
}
