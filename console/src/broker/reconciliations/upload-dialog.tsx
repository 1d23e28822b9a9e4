import { Button, FileInput, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CARRIER_FILE_KINDS, type CarrierFileKind } from '../../../../src/kernel/reconciliation.ts'
import { api } from '../../api/client.ts'
import { tableTypeOf } from '../../api/table-type.ts'
import { useOperation } from '../../api/use-operation.ts'
import { Choice } from '../../components/choice.tsx'
import { ErrorMessage } from '../../components/error-message.tsx'
import { saoPauloDay } from '../../format/date.ts'
import { formatMonth, parseMonth } from '../../format/month.ts'
import { CompanySelect } from '../../entities/companies/company-select.tsx'
import { contractOption, useContracts } from '../../entities/contracts/contract-options.ts'
import type { FilesSearch } from './search.ts'
import { layoutName } from '../../entities/layouts/built-in-words.ts'

interface Upload {
  readonly file: File
  readonly contractId: string
  readonly month: string
}

/** Sends a file of a contract, and leads to it. @param props.search what the list shows, which the file is probably of. */
export function UploadDialog({ search, onClose }: { readonly search: FilesSearch; readonly onClose: () => void }) {
  const { t } = useTranslation(['reconciliations', 'terms', 'states'])
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const [file, setFile] = useState<File | null>(null)
  const [company, setCompany] = useState(search['company-tax-id'] ?? null)
  const [contractId, setContract] = useState(search['contract-id'])
  const [kind, setKind] = useState<CarrierFileKind>(search.kind ?? 'roster')
  const [layoutId, setLayout] = useState<string>()
  const [monthText, setMonth] = useState(formatMonth(search['reference-month'] ?? saoPauloDay()))
  const contracts = useContracts(company)
  const layouts = useOperation('listLayouts', { query: { 'items-per-page': 500 } }).data?.result ?? []
  const contract = contracts.find((one) => one['contract-id'] === contractId) ?? contracts[0]
  const hasLayout = contract !== undefined && contract.layouts[kind] !== null
  const month = parseMonth(monthText)?.start.slice(0, 7)
  const send = useMutation({
    mutationFn: ({ file: bytes, contractId: id, month: referenceMonth }: Upload) =>
      api.carrierFiles.upload(bytes, {
        type: tableTypeOf(bytes),
        'contract-id': id,
        kind,
        'reference-month': referenceMonth,
        ...(layoutId === undefined ? {} : { 'layout-id': layoutId }),
        // Without control characters, which the service refuses.
        name: bytes.name.replaceAll(/\p{C}/gu, '').slice(0, 200) || '-',
      }),
    onSuccess: async (sent) => {
      void queryClient.invalidateQueries({ queryKey: ['listCarrierFiles'] })
      await navigate({ to: '/reconciliations/$fileId', params: { fileId: sent['file-id'] } })
    },
  })
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('reconciliations:upload')}
      closeButtonProps={{ 'aria-label': t('states:close') }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (file === null || contract === undefined || month === undefined) return
          send.mutate({ file, contractId: contract['contract-id'], month })
        }}
      >
        <Stack gap="sm">
          <CompanySelect label={t('reconciliations:company')} required value={company} onChange={setCompany} />
          <Choice
            label={t('reconciliations:contract')}
            isData
            disabled={company === null}
            value={contract?.['contract-id']}
            onChange={setContract}
            data={contracts.map(contractOption)}
          />
          <Choice
            label={t('reconciliations:kind')}
            value={kind}
            onChange={(value) => {
              setKind(value ?? 'roster')
              setLayout(undefined)
            }}
            data={CARRIER_FILE_KINDS.map((value) => ({ value, label: t(`terms:carrierFileKind.${value}`) }))}
          />
          <TextInput
            label={t('reconciliations:month')}
            placeholder={t('reconciliations:monthPlaceholder')}
            size="sm"
            required
            value={monthText}
            error={month === undefined && monthText !== '' ? t('reconciliations:invalidMonth') : undefined}
            onChange={({ currentTarget: { value } }) => setMonth(value)}
          />
          <Choice
            label={t('reconciliations:layout')}
            any={t(hasLayout ? 'reconciliations:layoutOfContract' : 'reconciliations:chooseLayout')}
            isData
            value={layoutId}
            onChange={setLayout}
            data={layouts
              .filter(({ direction }) => direction === kind)
              .map((one) => ({ value: one['layout-id'], label: layoutName(one) }))}
          />
          {contract !== undefined && !hasLayout && layoutId === undefined && (
            <Text size="sm">{t('reconciliations:noLayout')}</Text>
          )}
          <FileInput
            label={t('reconciliations:chosenFile')}
            placeholder={t('reconciliations:chooseFile')}
            size="sm"
            required
            value={file}
            onChange={setFile}
            attributes={{ input: { translate: file === null ? undefined : 'no' } }}
          />
          {send.error !== null && <ErrorMessage error={send.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('states:cancel')}
            </Button>
            <Button
              type="submit"
              loading={send.isPending}
              disabled={file === null || month === undefined || (!hasLayout && layoutId === undefined)}
            >
              {t('reconciliations:send')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
