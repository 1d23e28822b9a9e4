import { Alert } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Item } from '@vigencia/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CarrierFileKind } from '../../../../src/kernel/reconciliation.ts'
import { api } from '../../api/client.ts'
import { tableTypeOf, xlsxType } from '../../api/table-type.ts'
import { useOperation } from '../../api/use-operation.ts'
import { Dialog } from '../../components/dialog.tsx'
import { notifyDone } from '../../components/notify.ts'
import { ErrorState, Loading } from '../../components/state-view.tsx'
import { Value } from '../../components/value.tsx'
import type { Layout } from '../../entities/layouts/layout.ts'
import { carrierForm, carrierTable, isOfColumns, layoutOfTable } from '../../entities/layouts/layout-of-table.ts'
import { contractNumber } from '../../format/contract-number.ts'
import { ColumnMapping } from '../../tables/column-mapping.tsx'
import type { Choices, MappedTable } from '../../tables/mapped-table.ts'
import { useFileRows } from '../../tables/use-file-rows.ts'

interface Props {
  readonly file: File
  readonly contract: Item<'listContracts'>
  readonly kind: CarrierFileKind
  readonly onSaved: () => void
  readonly onClose: () => void
}

/** What the columns and words of a carrier’s file stand for: remembered as the layout of the contract. */
export default function FileMapping(props: Props) {
  const { file, contract, kind, onClose } = props
  const { t } = useTranslation('reconciliations')
  const [headerRow, setHeaderRow] = useState<number | undefined>(undefined)
  const layoutId = contract.layouts[kind]
  const layout = useOperation('readLayout', { path: [layoutId ?? ''] }, { enabled: layoutId !== null })
  const before = layout.data?.result ?? null
  const rows = useFileRows(file, headerRow)
  const save = useSave(props, before)
  const table =
    rows.data === undefined || (layoutId !== null && layout.data === undefined)
      ? null
      : carrierTable(kind, rows.data, before?.definition ?? null, headerRow)
  return (
    <Dialog onClose={onClose} size="62rem" title={<Value>{file.name}</Value>} closeOnClickOutside={false}>
      {rows.error !== null ? (
        <ErrorState error={rows.error} onRetry={() => void rows.refetch()} />
      ) : table === null ? (
        <Loading />
      ) : table.columns.length < 2 ? (
        <Alert variant="default">{t('noColumns')}</Alert>
      ) : (
        <ColumnMapping
          key={table['header-row']}
          form={carrierForm(kind, table, before?.definition ?? null)}
          table={table}
          help={t('mappingHelp')}
          isSaving={save.isPending}
          error={save.error}
          onHeaderRow={setHeaderRow}
          onSave={(choices) => save.mutate({ table, choices })}
          onClose={onClose}
        />
      )}
    </Dialog>
  )
}

/** Remembers the columns as a layout of the contract; one that was made so is replaced. */
function useSave({ file, contract, kind, onSaved }: Props, before: Layout | null) {
  const { t } = useTranslation(['reconciliations', 'terms', 'tables'])
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async ({ table, choices }: { readonly table: MappedTable; readonly choices: Choices }) => {
      const format = tableTypeOf(file) === xlsxType ? 'xlsx' : 'csv'
      const definition = layoutOfTable(kind, format, table, choices, before?.definition ?? null)
      if (before !== null && !before['built-in'] && isOfColumns(before.definition)) {
        const { name, direction, source } = before
        await api.layouts.put(before['layout-id'], { name, direction, source, definition })
        return
      }
      const names = { carrier: contract['carrier-name'], contract: contractNumber(contract) }
      const created = await api.layouts.create({
        name: t('reconciliations:layoutName', { ...names, kind: t(`terms:carrierFileKind.${kind}`) }).slice(0, 200),
        direction: kind,
        source: t('reconciliations:layoutSource', { file: file.name }).slice(0, 500),
        definition,
      })
      const { 'contract-id': id, 'next-cut-off': _, ...current } = await api.contracts.get(contract['contract-id'])
      await api.contracts.put(id, { ...current, layouts: { ...current.layouts, [kind]: created['layout-id'] } })
    },
    onSuccess: async () => {
      notifyDone(t('tables:remembered'))
      const changed = ['listContracts', 'readContract', 'readLayout', 'listLayouts']
      await Promise.all(changed.map((id) => queryClient.invalidateQueries({ queryKey: [id] })))
      onSaved()
    },
  })
}
