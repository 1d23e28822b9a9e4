import type { Company } from '@vigencia/client'
import { useTranslation } from 'react-i18next'
import { TextLink } from '../../components/link.tsx'
import { QueryView } from '../../components/state-view.tsx'
import { MoneyValue } from '../../components/value.tsx'
import { useCompanyOperation } from '../../entities/company-hr/client.ts'
import { formatDate, businessDate } from '../../format/date.ts'
import { formatMonth } from '../../format/month.ts'
import { Lines, Panel } from './panel.tsx'

const maxLines = 5

/** The next invoices that are not paid. */
export function InvoicesDue({ company }: { readonly company: Company }) {
  const { t } = useTranslation('hrHome')
  const query = useCompanyOperation('listInvoices', {
    query: { 'company-tax-id': company['tax-id'], 'from-dt': businessDate(), page: 1, 'items-per-page': 50 },
  })
  return (
    <Panel title={t('invoices')} more={<TextLink to="/hr/invoices">{t('all')}</TextLink>}>
      <QueryView query={query}>
        {({ result }) => (
          <Lines
            empty={t('noInvoices')}
            lines={result
              .filter((invoice) => invoice['invoice-status'] !== 'all-paid')
              .slice(0, maxLines)
              .map((invoice) => ({
                key: invoice.id,
                link: (
                  <TextLink to="/hr/invoices/$invoiceId" params={{ invoiceId: invoice.id }} translate="no">
                    {invoice['carrier-name']}
                  </TextLink>
                ),
                details: t('dueOn', { date: formatDate(invoice['due-date']) }),
                end: <MoneyValue value={invoice.amount} />,
              }))}
          />
        )}
      </QueryView>
    </Panel>
  )
}

/** What the payroll deducts for this month. */
export function PayrollOfMonth({ company }: { readonly company: Company }) {
  const { t } = useTranslation('hrHome')
  const month = businessDate().slice(0, 7)
  const query = useCompanyOperation('listCompanyPayrollPeriods', {
    path: [company['tax-id']],
    query: { page: 1, 'items-per-page': 100 },
  })
  return (
    <Panel title={t('payroll', { month: formatMonth(month) })} more={<TextLink to="/hr/payroll">{t('all')}</TextLink>}>
      <QueryView query={query}>
        {({ result }) => (
          <Lines
            empty={t('noPayroll')}
            lines={result
              .filter((period) => period['reference-month'] === month)
              .flatMap(({ open, exported }) => [
                { label: t('toDeduct'), amount: open },
                { label: t('deducted'), amount: exported },
              ])
              .map(({ label, amount }) => ({
                key: label,
                link: (
                  <TextLink to="/hr/payroll/$month" params={{ month }}>
                    {label}
                  </TextLink>
                ),
                end: <MoneyValue value={amount} />,
              }))}
          />
        )}
      </QueryView>
    </Panel>
  )
}
