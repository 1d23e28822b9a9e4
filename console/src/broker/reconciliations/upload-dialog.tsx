import { Anchor, FileInput, Text, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { ApiError, type Item } from '@vigencia/client'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CARRIER_FILE_KINDS, INVOICE_KINDS, type InvoiceKind } from '../../../../src/kernel/reconciliation.ts'
import { api } from '../../api/client.ts'
import { tableTypeOf, xlsxType } from '../../api/table-type.ts'
import { useOperation } from '../../api/use-operation.ts'
import { Choice } from '../../components/choice.tsx'
import { businessDate } from '../../format/date.ts'
import { formatMonth, parseMonth } from '../../format/month.ts'
import { contractOption, useContracts } from '../../entities/contracts/contract-options.ts'
import type { FilesSearch } from './search.ts'
import { layoutName } from '../../entities/layouts/built-in-words.ts'
import { readWithLayout } from '../../entities/layouts/read-with-layout.ts'
import { CompanyInput } from '../../forms/fields.tsx'
import { FormDialog, useFormDialog } from '../../forms/form-dialog.tsx'
import { Loading } from '../../components/state-view.tsx'
import { usePermission } from '../../session/use-permission.ts'

const FileMapping = lazy(() => import('./file-mapping.tsx'))

/** The largest file that a preview reads. */
const maxPreviewBytes = 16 * 1024 * 1024

/** Whether the layout finds the columns of a file, and has a meaning for its words. */
async function isRead(layout: Item<'listLayouts'>, file: File): Promise<boolean> {
  if (file.size > maxPreviewBytes) return true
  try {
    const reading = await readWithLayout(layout, file)
    return reading?.refused.some(({ cells }) => cells.some(({ code }) => code === 'no-code')) !== true
  } catch (error) {
    if (error instanceof ApiError && [400, 415].includes(error.status)) return false
    throw error
  }
}

/** Sends a file of a contract, and leads to it. @param props.search what the list shows, which the file is probably of. */
export function UploadDialog({ search, onClose }: { readonly search: FilesSearch; readonly onClose: () => void }) {
  const { t } = useTranslation(['reconciliations', 'terms'])
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const mayMap = [usePermission('createLayout'), usePermission('putContract'), usePermission('readImportTable')].every(
    Boolean,
  )
  const [isMapping, setMapping] = useState(false)
  const dialog = useFormDialog({
    initialValues: {
      company: search['company-tax-id'] ?? null,
      contractId: search['contract-id'],
      kind: search.kind ?? 'roster',
      invoiceKind: undefined as InvoiceKind | undefined,
      monthText: formatMonth(search['reference-month'] ?? businessDate()),
      layoutId: undefined as string | undefined,
      file: null as File | null,
    },
    send: async (): Promise<{ readonly 'file-id': string } | null> => {
      if (file === null || contract === undefined || month === undefined) return null
      if (isMappable && layoutId === undefined) {
        if (ownLayout === undefined || !(await isRead(ownLayout, file))) {
          setMapping(true)
          return null
        }
      }
      return api.carrierFiles.upload(file, {
        type: tableTypeOf(file),
        'contract-id': contract['contract-id'],
        kind,
        'reference-month': month,
        ...(kind === 'invoice' && { 'invoice-kind': invoiceKind ?? 'main' }),
        ...(layoutId === undefined ? {} : { 'layout-id': layoutId }),
        // Without control characters, which the service refuses.
        name: file.name.replaceAll(/\p{C}/gu, '').slice(0, 200) || '-',
      })
    },
    onSent: async (sent) => {
      if (sent === null) return
      void queryClient.invalidateQueries({ queryKey: ['listCarrierFiles'] })
      await navigate({ to: '/reconciliations/$fileId', params: { fileId: sent['file-id'] } })
    },
    onClose,
  })
  const { form } = dialog
  const { company, contractId, kind, invoiceKind, monthText, layoutId, file } = form.values
  const contracts = useContracts(company)
  const layouts = useOperation('listLayouts', { query: { 'items-per-page': 500 } }).data?.result ?? []
  const contract = contracts.find((one) => one['contract-id'] === contractId) ?? contracts[0]
  const hasLayout = contract !== undefined && contract.layouts[kind] !== null
  const month = parseMonth(monthText)?.start.slice(0, 7)
  const isMappable = mayMap && (file === null || ['text/csv', xlsxType].includes(tableTypeOf(file)))
  const ownLayout = layouts.find((one) => one['layout-id'] === contract?.layouts[kind])
  if (isMapping && file !== null && contract !== undefined) {
    return (
      <Suspense fallback={<Loading />}>
        <FileMapping
          file={file}
          contract={contract}
          kind={kind}
          onSaved={() => setMapping(false)}
          onClose={() => setMapping(false)}
        />
      </Suspense>
    )
  }
  return (
    <FormDialog
      dialog={dialog}
      title={t('reconciliations:upload')}
      action={t(hasLayout || layoutId !== undefined ? 'reconciliations:send' : 'reconciliations:continue')}
      isDisabled={file === null || month === undefined || (!hasLayout && layoutId === undefined && !isMappable)}
    >
      <CompanyInput form={form} name="company" label={t('reconciliations:company')} required />
      <Choice
        label={t('reconciliations:contract')}
        isData
        disabled={company === null}
        value={contract?.['contract-id']}
        onChange={(value) => form.setFieldValue('contractId', value)}
        data={contracts.map(contractOption)}
      />
      <Choice
        label={t('reconciliations:kind')}
        value={kind}
        onChange={(value) => form.setValues({ kind: value ?? 'roster', layoutId: undefined })}
        data={CARRIER_FILE_KINDS.map((value) => ({ value, label: t(`terms:carrierFileKind.${value}`) }))}
      />
      {kind === 'invoice' && (
        <Choice
          label={t('reconciliations:invoiceKind')}
          value={invoiceKind ?? 'main'}
          onChange={(value) => form.setFieldValue('invoiceKind', value ?? undefined)}
          data={INVOICE_KINDS.map((value) => ({ value, label: t(`terms:invoiceKind.${value}`) }))}
        />
      )}
      {kind === 'invoice' && <Text size="sm">{t('reconciliations:invoiceKindText')}</Text>}
      <TextInput
        label={t('reconciliations:month')}
        placeholder={t('reconciliations:monthPlaceholder')}
        size="sm"
        required
        {...form.getInputProps('monthText')}
        error={month === undefined && monthText !== '' ? t('reconciliations:invalidMonth') : undefined}
      />
      <Choice
        label={t('reconciliations:layout')}
        any={
          ownLayout !== undefined
            ? t('reconciliations:layoutOfContract', { name: layoutName(ownLayout) })
            : t(isMappable ? 'reconciliations:byColumns' : 'reconciliations:chooseLayout')
        }
        isData
        value={layoutId}
        onChange={(value) => form.setFieldValue('layoutId', value)}
        data={layouts
          .filter(({ direction }) => direction === kind)
          .map((one) => ({ value: one['layout-id'], label: layoutName(one) }))}
      />
      {contract !== undefined && !hasLayout && layoutId === undefined && (
        <Text size="sm">{t(isMappable ? 'reconciliations:noLayoutMapped' : 'reconciliations:noLayout')}</Text>
      )}
      <FileInput
        label={t('reconciliations:chosenFile')}
        placeholder={t('reconciliations:chooseFile')}
        size="sm"
        required
        {...form.getInputProps('file')}
        attributes={{ input: { translate: file === null ? undefined : 'no' } }}
      />
      {isMappable && file !== null && hasLayout && layoutId === undefined && (
        <Anchor component="button" type="button" size="sm" ta="start" onClick={() => setMapping(true)}>
          {t('reconciliations:mapColumns')}
        </Anchor>
      )}
    </FormDialog>
  )
}
