import { Button, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { Query } from '@vigencia/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { ErrorMessage } from '../../components/error-message.tsx'
import { saveFile } from '../../components/save-file.ts'
import { type Cell, toCsv } from '../../format/csv.ts'
import { formatSecond } from '../../format/date.ts'
import { formatCnpj } from '../../../../src/kernel/tax-id.ts'
import { actorName, serviceActors } from './actor-text.tsx'
import { knownAction } from '../../entities/audit/known-action.ts'
import type { AuditRow } from './target-link.tsx'
import type { ActorNames } from './use-actor-names.ts'

const rowsPerPage = 500

/** Saves the rows that the filters select as CSV. They are read page by page. */
export function AuditExport(props: {
  readonly query: Query<'listAudit'>
  readonly isReady: boolean
  readonly names: ActorNames
}) {
  const { query, isReady, names } = props
  const { t } = useTranslation(['audit', 'states', 'terms'])
  const header = [
    t('at'),
    t('actor'),
    t('action'),
    t('target'),
    t('targetId'),
    t('company'),
    t('cnpj'),
    t('address'),
    t('requestTraceId'),
    t('rowId'),
  ]
  const cellsOf = (row: AuditRow): readonly Cell[] => {
    const own = serviceActors.find((known) => known === row.actor)
    const action = knownAction(row.action)
    const taxId = row['company-tax-id']
    return [
      formatSecond(row.at),
      own === undefined ? actorName(row.actor, names) : t(`terms:actor.${own}`),
      action === undefined ? row.action : t(`actions.${action}`),
      row['target-name'],
      row.target,
      row['company-name'],
      taxId === null ? null : formatCnpj(taxId),
      row.address,
      row['request-trace-id'],
      row.id,
    ]
  }
  const [count, setCount] = useState(0)
  const exported = useMutation({
    mutationFn: async () => {
      setCount(0)
      const rows = new Map<string, readonly Cell[]>()
      // A row that is written meanwhile moves the others to the next page: each comes once.
      for await (const row of api.audit.list(query)) {
        rows.set(row.id, cellsOf(row))
        if (rows.size % rowsPerPage === 0) setCount(rows.size)
      }
      saveFile(`${t('fileName')}.csv`, toCsv(header, [...rows.values()]), 'text/csv;charset=utf-8')
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
