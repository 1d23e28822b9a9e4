import { Button, Group, Menu, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import type { Invoice } from '@vigencia/client'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { useOperation } from '../../api/use-operation.ts'
import { ActDialog } from '../../components/act-dialog.tsx'
import { ContextLine } from '../../components/context-line.tsx'
import { KeyNumbers, keyNumber } from '../../components/key-numbers.tsx'
import { TextLink } from '../../components/link.tsx'
import { MoreMenu } from '../../components/more-menu.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { RawView } from '../../components/raw-view.tsx'
import { Loading, QueryView } from '../../components/state-view.tsx'
import { DateValue, MoneyValue, Value } from '../../components/value.tsx'
import { formatPeriod } from '../../format/month.ts'
import { withLaterTexts } from '../../language/language.ts'
import { usePermission } from '../../session/use-permission.ts'
import { downloadUrl } from '../../entities/invoices/download-url.ts'
import { InvoiceFiles } from '../../entities/invoices/invoice-files.tsx'
import { InvoiceForm } from './invoice-form.tsx'
import { InvoiceStatusBadge } from '../../entities/invoices/invoice-status.tsx'
import { useCompanyTaxId } from './use-company-tax-id.ts'
import { SectionTitle } from '../../components/section-title.tsx'

const route = getRouteApi('/shell/invoices/$invoiceId')
const FileUpload = lazy(() => import('./file-upload.tsx'))
const InvoiceLines = lazy(() => withLaterTexts(import('./invoice-lines.tsx')))

/** An invoice: facts, files, uploads. */
export function InvoicePage() {
  const { invoiceId } = route.useParams()
  const query = useOperation('readAnyInvoice', { path: [invoiceId] })
  const { t } = useTranslation('invoices')
  return (
    <>
      {query.data === undefined && <PageHeader title={t('invoiceTitle')} />}
      <QueryView query={query}>{({ result }) => <InvoiceView invoice={result} />}</QueryView>
    </>
  )
}

function InvoiceView({ invoice }: { readonly invoice: Invoice }) {
  const { t } = useTranslation('invoices')
  const mayWrite = usePermission('putInvoice')
  const mayReadLines = usePermission('listCarrierFiles')
  const { view } = route.useSearch()
  const [dialog, setDialog] = useState<'edit' | 'delete' | null>(null)
  const close = () => setDialog(null)
  return (
    <Stack gap="lg">
      <div>
        <PageHeader title={t('invoiceTitle')} name={invoice.id}>
          {invoice.files.length > 0 && (
            <Button component="a" variant="default" href={downloadUrl(invoice.id)} download>
              {t('downloadAll')}
            </Button>
          )}
          {mayWrite && (
            <>
              <Button variant="default" onClick={() => setDialog('edit')}>
                {t('edit')}
              </Button>
              <MoreMenu>
                <Menu.Item color="red" onClick={() => setDialog('delete')}>
                  {t('delete')}
                </Menu.Item>
              </MoreMenu>
            </>
          )}
        </PageHeader>
        <Head invoice={invoice} />
      </div>
      {mayReadLines && <Views />}
      {view === 'lines' && mayReadLines ? (
        <Suspense fallback={<Loading />}>
          <InvoiceLines invoice={invoice} />
        </Suspense>
      ) : (
        <Files invoice={invoice} />
      )}
      <RawView value={invoice} />
      {dialog === 'edit' && <InvoiceForm invoice={invoice} onClose={close} />}
      {dialog === 'delete' && <DeleteInvoice invoice={invoice} onClose={close} />}
    </Stack>
  )
}

/** The files of the invoice, or the lines of the carrier's file. */
function Views() {
  const { t } = useTranslation('invoices')
  const { invoiceId } = route.useParams()
  const { view } = route.useSearch()
  return (
    <Group component="nav" gap="lg" aria-label={t('views')}>
      {([undefined, 'lines'] as const).map((name) => (
        <TextLink
          to="/invoices/$invoiceId"
          params={{ invoiceId }}
          search={name === undefined ? {} : { view: name }}
          replace
          activeProps={{}}
          key={name ?? 'overview'}
          {...(name === view ? { 'aria-current': 'true' as const, fw: 700 } : {})}
        >
          {t(name ?? 'overview')}
        </TextLink>
      ))}
    </Group>
  )
}

function Files({ invoice }: { readonly invoice: Invoice }) {
  const { t } = useTranslation('invoices')
  const mayWrite = usePermission('putInvoice')
  return (
    <>
      <section aria-labelledby="files">
        <SectionTitle id="files">{t('files')}</SectionTitle>
        <InvoiceFiles invoice={invoice} />
      </section>
      {mayWrite && (
        <section aria-labelledby="upload">
          <SectionTitle id="upload">{t('uploadTitle')}</SectionTitle>
          <Suspense fallback={<Loading />}>
            <FileUpload invoice={invoice} />
          </Suspense>
        </section>
      )}
    </>
  )
}

function Head({ invoice }: { readonly invoice: Invoice }) {
  const { t } = useTranslation('invoices')
  const taxId = useCompanyTaxId(invoice)
  const company = invoice['company-name']
  return (
    <>
      <ContextLine
        items={[
          <InvoiceStatusBadge key="status" status={invoice['invoice-status']} />,
          company !== null &&
            (taxId === null ? (
              <Value>{company}</Value>
            ) : (
              <TextLink to="/companies/$taxId" params={{ taxId }}>
                <Value>{company}</Value>
              </TextLink>
            )),
          invoice['carrier-name'] !== null && <Value>{invoice['carrier-name']}</Value>,
          <Value key="id">{invoice.id}</Value>,
          taxId !== null && (
            <TextLink to="/invoices" search={{ 'company-tax-id': taxId }}>
              {t('othersOfCompany')}
            </TextLink>
          ),
        ]}
      />
      <KeyNumbers
        numbers={[
          keyNumber(t('amount'), <MoneyValue value={invoice.amount} />),
          keyNumber(t('dueDate'), <DateValue value={invoice['due-date']} />),
          keyNumber(
            t('period'),
            <Value>{formatPeriod(invoice['reference-period-start'], invoice['reference-period-end'])}</Value>,
          ),
        ]}
      />
    </>
  )
}

function DeleteInvoice(props: { readonly invoice: Invoice; readonly onClose: () => void }) {
  const { t } = useTranslation('invoices')
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  return (
    <ActDialog
      action={t('delete')}
      isDestructive
      act={() => api.invoices.delete(props.invoice.id)}
      done={t('deleted')}
      onDone={async () => {
        await navigate({ to: '/invoices' })
        queryClient.removeQueries({ queryKey: ['readAnyInvoice'] })
      }}
      onClose={props.onClose}
    >
      <Text>{t('deleteText', { count: props.invoice.files.length })}</Text>
    </ActDialog>
  )
}
