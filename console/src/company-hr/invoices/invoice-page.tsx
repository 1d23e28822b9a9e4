import { Button, Group, Stack, Text } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { Invoice } from '@vigencia/client'
import { useTranslation } from 'react-i18next'
import { useCompanyOperation } from '../../entities/company-hr/client.ts'
import { FactList, fact } from '../../components/fact-list.tsx'
import { ButtonLink } from '../../components/link.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { QueryView } from '../../components/state-view.tsx'
import { DateValue, MoneyValue, TextValue, Value } from '../../components/value.tsx'
import { formatPeriod } from '../../format/month.ts'
import { downloadUrl } from '../../entities/invoices/download-url.ts'
import { InvoiceFiles } from '../../entities/invoices/invoice-files.tsx'
import { InvoiceStatusBadge } from '../../entities/invoices/invoice-status.tsx'
import { SectionTitle } from '../../components/section-title.tsx'

const route = getRouteApi('/shell/hr/invoices/$invoiceId')
const path = '/v1/invoices'

/** An invoice of the company, with its payment slips and other files. */
export function InvoicePage() {
  const { t } = useTranslation(['invoices', 'charges'])
  const { invoiceId } = route.useParams()
  const query = useCompanyOperation('readInvoice', { path: [invoiceId] })
  return (
    <>
      <PageHeader title={t('invoiceTitle')} name={invoiceId}>
        {query.data !== undefined && (
          <ButtonLink
            to="/hr/charges/$month"
            params={{ month: query.data.result['reference-period-start'].slice(0, 7) }}
            variant="default"
          >
            {t('charges:whyAll')}
          </ButtonLink>
        )}
        {query.data !== undefined && query.data.result.files.length > 0 && (
          <Button component="a" variant="default" href={downloadUrl(invoiceId, undefined, path)} download>
            {t('downloadAll')}
          </Button>
        )}
      </PageHeader>
      <QueryView query={query}>{({ result }) => <InvoiceView invoice={result} />}</QueryView>
    </>
  )
}

function InvoiceView({ invoice }: { readonly invoice: Invoice }) {
  const { t } = useTranslation('invoices')
  return (
    <Stack gap="lg">
      <Group gap="sm">
        <Text fw={600} fz="lg">
          <Value>{invoice.id}</Value>
        </Text>
        <InvoiceStatusBadge status={invoice['invoice-status']} />
      </Group>
      <FactList
        facts={[
          fact(t('carrier'), <TextValue value={invoice['carrier-name']} />),
          fact(t('amount'), <MoneyValue value={invoice.amount} />),
          fact(t('dueDate'), <DateValue value={invoice['due-date']} />),
          fact(
            t('period'),
            <Value>{formatPeriod(invoice['reference-period-start'], invoice['reference-period-end'])}</Value>,
          ),
        ]}
      />
      <section aria-labelledby="files">
        <SectionTitle id="files">{t('files')}</SectionTitle>
        <InvoiceFiles invoice={invoice} path={path} />
      </section>
    </Stack>
  )
}
