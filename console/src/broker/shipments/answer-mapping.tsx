import { Paper } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { operationQuery } from '../../api/use-operation.ts'
import { notifyDone } from '../../components/notify.ts'
import { ErrorState, Loading } from '../../components/state-view.tsx'
import { ColumnMapping } from '../../tables/column-mapping.tsx'
import { useFileRows } from '../../tables/use-file-rows.ts'
import type { Choices } from '../../tables/mapped-table.ts'
import { answerForm, answerTable, mappingWith } from './answer-columns.ts'

/** What the columns of a carrier’s file stand for, and what its words mean: remembered with the contract. */
export default function AnswerMapping(props: {
  readonly file: File
  readonly contractId: string
  readonly onSaved: () => void
  readonly onClose: () => void
}) {
  const { file, contractId, onSaved, onClose } = props
  const { t } = useTranslation(['shipments', 'tables', 'carriers'])
  const queryClient = useQueryClient()
  const [headerRow, setHeaderRow] = useState<number | undefined>(undefined)
  const contractQuery = operationQuery('readContract', { path: [contractId] })
  const contract = useQuery(contractQuery).data?.result
  const rows = useFileRows(file, headerRow)
  const save = useMutation({
    mutationFn: async (choices: Choices) => {
      const { 'contract-id': _id, 'next-cut-off': _cutOff, ...current } = await api.contracts.get(contractId)
      const mapping = mappingWith(current['acknowledgement-mapping'], choices)
      return api.contracts.put(contractId, { ...current, 'acknowledgement-mapping': mapping })
    },
    onSuccess: async () => {
      notifyDone(t('tables:remembered'))
      await queryClient.invalidateQueries({ queryKey: ['readContract'] })
      onSaved()
    },
  })
  if (rows.error !== null) return <ErrorState error={rows.error} onRetry={() => void rows.refetch()} />
  if (rows.data === undefined || contract === undefined) return <Loading />
  const mapping = contract['acknowledgement-mapping']
  const table = answerTable(rows.data, mapping, headerRow)
  return (
    <Paper withBorder p="md">
      <ColumnMapping
        key={table['header-row']}
        form={answerForm(table, mapping, {
          columnOf: (column) => t(`carriers:form.columns.${column}`),
          outcomeOf: (outcome) => t(`carriers:form.outcomes.${outcome}`),
        })}
        table={table}
        help={t('shipments:mappingHelp')}
        isSaving={save.isPending}
        error={save.error}
        onHeaderRow={setHeaderRow}
        onSave={save.mutate}
        onClose={onClose}
      />
    </Paper>
  )
}
