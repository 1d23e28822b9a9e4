import { Anchor, Button, Group, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Invoice } from '@vigencia/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SlipStatus } from '../../../../src/money/rules/invoice.ts'
import { api } from '../../api/client.ts'
import { operationQuery } from '../../api/use-operation.ts'
import { ActDialog } from '../../components/act-dialog.tsx'
import { ErrorMessage } from '../../components/error-message.tsx'
import { notifyDone } from '../../components/notify.ts'
import { Value } from '../../components/value.tsx'
import { usePermission } from '../../session/use-permission.ts'
import { downloadUrl } from './download-url.ts'
import { FileStatusBadge } from './invoice-status.tsx'
import { PlainTable, plain } from '../../components/plain-table.tsx'
import { date } from '../../lists/columns.tsx'

type InvoiceFile = Invoice['files'][number]

/** The files of an invoice: download, status of payment slips, deletion. @param props.path of the invoices of another API. */
export function InvoiceFiles({ invoice, path }: { readonly invoice: Invoice; readonly path?: string }) {
  const { t } = useTranslation(['invoices', 'terms'])
  const queryClient = useQueryClient()
  const mayWrite = usePermission('putInvoice')
  const [toDelete, setToDelete] = useState<InvoiceFile | null>(null)
  const { queryKey } = operationQuery('readAnyInvoice', { path: [invoice.id] })
  const mark = useMutation({
    mutationFn: ({ file, status }: { readonly file: InvoiceFile; readonly status: SlipStatus }) =>
      api.invoices.markFile(invoice.id, file['file-id'], { status }),
    onSuccess: (result, { status }) => {
      queryClient.setQueryData(queryKey, { result })
      void queryClient.invalidateQueries({ queryKey: ['listAllInvoices'] })
      notifyDone(t(`marked.${status}`))
    },
    // Another operator may have changed it.
    onError: () => void queryClient.invalidateQueries({ queryKey }),
  })
  if (invoice.files.length === 0) return <Text size="sm">{t('noFiles')}</Text>
  return (
    <>
      {mark.error !== null && <ErrorMessage error={mark.error} />}
      <PlainTable<InvoiceFile>
        label={t('fileTable')}
        items={invoice.files}
        idOf={(file) => file['file-id']}
        columns={[
          plain(t('fileName'), (file) => (
            <Anchor size="sm" href={downloadUrl(invoice.id, file['file-id'], path)} download>
              <Value>{file.name}</Value>
            </Anchor>
          )),
          plain(t('fileType'), ({ type }) => t(`terms:invoiceFileType.${type}`), { className: 'nowrap' }),
          date(t('slipDueDate'), 'payment-slip-due-date'),
          plain(t('status'), ({ status }) => <FileStatusBadge status={status} />),
          mayWrite &&
            plain(t('actions'), (file) => (
              <FileActions
                file={file}
                isPending={mark.isPending && mark.variables.file['file-id'] === file['file-id']}
                onMark={(status) => mark.mutate({ file, status })}
                onDelete={() => setToDelete(file)}
              />
            )),
        ]}
      />
      {toDelete !== null && (
        <ActDialog
          action={t('deleteFile')}
          isDestructive
          act={() => api.invoices.deleteFile(invoice.id, toDelete['file-id'])}
          done={t('fileDeleted')}
          onClose={() => setToDelete(null)}
        >
          <Text>
            {t('deleteFileText')} <Value>{toDelete.name}</Value>
          </Text>
        </ActDialog>
      )}
    </>
  )
}

function FileActions(props: {
  readonly file: InvoiceFile
  readonly isPending: boolean
  readonly onMark: (status: SlipStatus) => void
  readonly onDelete: () => void
}) {
  const { t } = useTranslation('invoices')
  const { file, isPending, onMark } = props
  const statuses: readonly SlipStatus[] =
    file.type !== 'payment-slip'
      ? []
      : file.status === 'paid' || file.status === 'cancelled'
        ? ['pending']
        : ['paid', 'cancelled']
  return (
    <Group gap="xs" wrap="nowrap">
      {statuses.map((status) => (
        <Button
          key={status}
          size="compact-sm"
          variant="default"
          loading={isPending}
          aria-label={t(`markLabel.${status}`, { name: file.name })}
          onClick={() => onMark(status)}
        >
          {t(`mark.${status}`)}
        </Button>
      ))}
      <Button
        size="compact-sm"
        variant="subtle"
        color="red"
        aria-label={t('deleteFileLabel', { name: file.name })}
        onClick={props.onDelete}
      >
        {t('deleteFileShort')}
      </Button>
    </Group>
  )
}
