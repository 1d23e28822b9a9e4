import { Button, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { Query } from '@vigencia/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { ErrorMessage } from '../../components/error-message.tsx'
import { saveFile } from '../../components/save-file.ts'
import { type Cell, toCsv } from '../../format/csv.ts'

const columns = ['at', 'actor', 'action', 'target', 'company-tax-id', 'address', 'request-trace-id', 'id'] as const
const rowsPerPage = 500

/** Saves the rows that the filters select as CSV. They are read page by page. */
export function AuditExport({ query, isReady }: { readonly query: Query<'listAudit'>; readonly isReady: boolean }) {
  const { t } = useTranslation(['audit', 'states'])
  const [count, setCount] = useState(0)
  const exported = useMutation({
    mutationFn: async () => {
      setCount(0)
      const rows = new Map<string, readonly Cell[]>()
      // A row that is written meanwhile moves the others to the next page: each comes once.
      for await (const row of api.audit.list(query)) {
        rows.set(
          row.id,
          columns.map((name) => row[name]),
        )
        if (rows.size % rowsPerPage === 0) setCount(rows.size)
      }
      saveFile(`${t('fileName')}.csv`, toCsv(columns, [...rows.values()]), 'text/csv;charset=utf-8')
    },
  })
  return (
    <>
      {exported.isPending && (
        <Text size="sm" role="status">
          {t('states:exporting', { count })}
        </Text>
      )}
      {exported.error !== null && <ErrorMessage error={exported.error} />}
      <Button variant="default" disabled={!isReady} loading={exported.isPending} onClick={() => exported.mutate()}>
        {t('states:export')}
      </Button>
    </>
  )
}
