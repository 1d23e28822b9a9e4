import { Alert } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { isTerminal } from '../../../../src/coverage/rules/enrollment-status.ts'
import { formatDate, businessDate } from '../../format/date.ts'
import type { Movement } from './comparison.ts'

/** What an analyst must know before a decision: a cut-off that is missed, and days that are over. */
export function Warnings({ movement }: { readonly movement: Movement }) {
  const { t } = useTranslation(['movement', 'deadlines'])
  if (isTerminal(movement.status)) return null
  const { 'due-date': due, 'carrier-hand-over': handOver, 'start-date': start, 'end-date': end } = movement
  const today = businessDate()
  const expected = handOver?.['expected-start-date'] ?? null
  const cutOff = handOver?.['cut-off-date'] ?? null
  const isMissed = handOver?.['after-cut-off'] === true && handOver['sent-at'] === null
  const lines = [
    isMissed && start !== null && expected !== null
      ? t('movement:startsLater', { asked: formatDate(start), expected: formatDate(expected) })
      : null,
    isMissed && end !== null && cutOff !== null
      ? t('movement:endsLater', { asked: formatDate(end), cutOff: formatDate(cutOff) })
      : null,
    due !== null && due < today ? t('movement:overdue', { date: formatDate(due) }) : null,
    ...(movement.deadlines ?? [])
      .filter(({ until }) => until < today && until !== due)
      .map(({ kind, until }) =>
        t('movement:deadlineOver', { kind: t(`deadlines:kind.${kind}`), date: formatDate(until) }),
      ),
  ].filter((line) => line !== null)
  if (lines.length === 0) return null
  return (
    <Alert color="orange" p="xs" mb="md" aria-label={t('movement:warnings')}>
      {lines.map((line) => (
        <div key={line}>{line}</div>
      ))}
    </Alert>
  )
}
