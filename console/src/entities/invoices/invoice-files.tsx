import { Anchor, Button, Group, Table, Text } from '@mantine/core'
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
import { DateValue, Value } from '../../components/value.tsx'
import { usePermission } from '../../session/use-permission.ts'
import { downloadUrl } from './download-url.ts'
import { FileStatusBadge } from './invoice-status.tsx'

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
      <div className="plain-table" role="region" aria-label={t('fileTable')} tabIndex={0}>
        <Table verticalSpacing={6}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('fileName')}</Table.Th>
              <Table.Th>{t('fileType')}</Table.Th>
              <Table.Th>{t('slipDueDate')}</Table.Th>
              <Table.Th>{t('status')}</Table.Th>
              {mayWrite && <Table.Th>{t('actions')}</Table.Th>}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {invoice.files.map((file) => (
              <Table.Tr key={file['file-id']}>
                <Table.Td>
                  <Anchor size="sm" href={downloadUrl(invoice.id, file['file-id'], path)} download>
                    <Value>{file.name}</Value>
                  </Anchor>
                </Table.Td>
                <Table.Td className="nowrap">{t(`terms:invoiceFileType.${file.type}`)}</Table.Td>
                <Table.Td>
                  <DateValue value={file['payment-slip-due-date']} />
                </Table.Td>
                <Table.Td>
                  <FileStatusBadge status={file.status} />
                </Table.Td>
                {mayWrite && (
                  <Table.Td>
                    <FileActions
                      file={file}
                      isPending={mark.isPending && mark.variables.file['file-id'] === file['file-id']}
                      onMark={(status) => mark.mutate({ file, status })}
                      onDelete={() => setToDelete(file)}
                    />
                  </Table.Td>
                )}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
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
