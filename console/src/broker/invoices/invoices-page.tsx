import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { INVOICE_STATUSES } from '../../../../src/kernel/enums.ts'
import { TextLink } from '../../components/link.tsx'
import { MoneyValue, Value } from '../../components/value.tsx'
import { InvoiceStatusBadge, isUnpaid } from '../../entities/invoices/invoice-status.tsx'
import { formatPeriod } from '../../format/month.ts'
import { column, due, money, number, side, text } from '../../lists/columns.tsx'
import { ChoiceFilter, CompanyFilter, DayFilter, Filters, SearchFilter } from '../../lists/filters.tsx'
import { listPage } from '../../lists/list-page.tsx'
import { useTotals } from '../../lists/totals.tsx'
import { usePermission } from '../../session/use-permission.ts'
import { ExportButton } from './export-button.tsx'
import { InvoiceForm } from './invoice-form.tsx'
import { DialogButton } from '../../components/dialog.tsx'

const List = listPage('listAllInvoices')

/** The invoices of all companies, by due date. */
export function InvoicesPage() {
  const { t } = useTranslation('invoices')
  const mayWrite = usePermission('putInvoice')
  return (
    <List
      title={t('title')}
      actions={
        <>
          <ExportButton />
          {mayWrite && (
            <DialogButton dialog={(close) => <InvoiceForm invoice={null} onClose={close} />}>
              {t('create')}
            </DialogButton>
          )}
        </>
      }
      filters={<Above />}
      unit="invoices"
      columns={[
        column(t('invoiceTitle'), 'minmax(7.5rem, 1fr)', (invoice) => (
          <TextLink to="/invoices/$invoiceId" params={{ invoiceId: invoice.id }}>
            <Value>{invoice.id}</Value>
          </TextLink>
        )),
        text(t('company'), 'company-name', 'minmax(10rem, 2fr)'),
        text(t('carrier'), 'carrier-name', 'minmax(8rem, 1fr)'),
        text(t('period'), (one) => formatPeriod(one['reference-period-start'], one['reference-period-end']), '11.5rem'),
        due(t('dueDate'), 'due-date', { isOpen: isUnpaid }),
        money(t('amount'), 'amount'),
        side(t('status'), '7rem', (invoice) => <InvoiceStatusBadge status={invoice['invoice-status']} />),
        number(t('files'), (invoice) => invoice.files.length, '5.75rem'),
      ]}
      idOf={(invoice) => `${invoice['company-id']} ${invoice.id}`}
    />
  )
}

function Above() {
  const { t } = useTranslation(['invoices', 'terms'])
  const total = useTotals('listAllInvoices')?.totals.amount
  return (
    <>
      <Filters>
        <SearchFilter label={t('invoices:search')} />
        <ChoiceFilter
          name="status"
          label={t('invoices:status')}
          any={t('invoices:any')}
          data={INVOICE_STATUSES.map((value) => ({ value, label: t(`terms:invoiceStatus.${value}`) }))}
        />
        <CompanyFilter label={t('invoices:company')} />
        <DayFilter name="from-dt" label={t('invoices:from')} />
        <DayFilter name="until-dt" label={t('invoices:until')} />
      </Filters>
      {total !== undefined && (
        <Text size="sm" mb="xs" role="status">
          {t('invoices:total')}{' '}
          <Text span fw={700}>
            <MoneyValue value={total} />
          </Text>
        </Text>
      )}
    </>
  )
}
