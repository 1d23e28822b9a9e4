import { Button, Group } from '@mantine/core'
import { useQueries } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { ROSTER_HELD, type RosterExplanation } from '../../../../src/kernel/roster-syncs.ts'
import { operationQuery } from '../../api/use-operation.ts'
import { Value } from '../../components/value.tsx'
import { formatNumber } from '../../format/number.ts'
import { useRosterClient } from './client.ts'

/** Why nothing is done, each with how many items it has; one of them is shown at a time, or all. */
export function HeldFilter(props: {
  readonly draftId: string
  readonly chosen: RosterExplanation | undefined
  readonly onChoose: (explanation: RosterExplanation | undefined) => void
}) {
  const { t } = useTranslation(['rosters', 'terms'])
  const { draftId, chosen, onChoose } = props
  const { client, operations } = useRosterClient()
  const counts = useQueries({
    queries: ROSTER_HELD.map((explanation) => {
      const query = { class: 'held', explanation, page: 1, 'items-per-page': 1 }
      return operationQuery(operations.items, { path: [draftId], query }, client)
    }),
    combine: (results) => results.map(({ data }) => data?.pagination['total-items'] ?? 0),
  })
  const choices = ROSTER_HELD.flatMap((explanation, index) => {
    const count = counts[index] ?? 0
    return count === 0 ? [] : [{ explanation, count }]
  })
  return (
    <Group component="section" aria-label={t('rosters:byExplanation')} gap="xs">
      {[...(choices.length > 1 ? [{ explanation: undefined, count: null }] : []), ...choices].map((one) => (
        <Button
          key={one.explanation ?? ''}
          className="roster-explanation"
          size="xs"
          variant={one.explanation === chosen ? 'filled' : 'default'}
          aria-pressed={one.explanation === chosen}
          onClick={() => onChoose(one.explanation)}
        >
          {one.explanation === undefined ? t('rosters:all') : t(`terms:rosterExplanation.${one.explanation}`)}
          {one.count !== null && <Value> ({formatNumber(one.count)})</Value>}
        </Button>
      ))}
    </Group>
  )
}
