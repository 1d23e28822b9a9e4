import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { sessionKey } from '../../api/session-key.ts'
import { formatNumber } from '../../format/number.ts'
import {
  decide,
  type DecisionOutcome,
  type DecisionProgress,
  hasSessionEnded,
  type Held,
  isRetryable,
} from './decide.ts'
import type { DecidedMovement, Decision } from './decision.ts'
import { followHeld } from './follow.tsx'
import { addHeld } from './held-decisions.ts'
import { refresh } from './undo.ts'
import { useLeaveQuestion } from './use-leave-question.ts'

const notBegun: DecisionProgress = { settled: 0, isAcknowledged: false }

export interface Decided {
  readonly decision: Decision
  /** One for each movement, in their order. */
  readonly outcomes: readonly DecisionOutcome[]
}

/**
 * Decides on movements with progress, and refreshes what shows them. `decide` resolves to the outcomes: errors are among them. `retry` sends
 * those again that did not succeed, and keeps the outcomes of the others.
 */
export function useDecide() {
  const { t } = useTranslation(['decisions', 'terms'])
  const queryClient = useQueryClient()
  const [{ settled, isAcknowledged }, setProgress] = useState<DecisionProgress>(notBegun)
  const hold = ({ target }: Decision, { job, movements, sentAt, isFollowed }: Held) => {
    const status = t(`terms:status.${target}`)
    const [first] = movements
    const count = movements.length
    const text =
      count === 1 && first !== undefined
        ? t('notified', { status, name: first['member-name'] })
        : t('notifiedAll', { status, count, formatted: formatNumber(count) })
    addHeld({ job, text, count }, sentAt)
    if (isFollowed) followHeld(queryClient, job, movements)
  }
  const mutation = useMutation({
    mutationFn: async (order: { movements: readonly DecidedMovement[]; decision: Decision; before?: Decided }) => {
      const { movements, decision, before } = order
      setProgress(notBegun)
      const fresh = await decide(movements, decision, {
        onProgress: setProgress,
        onHeld: (held) => hold(decision, held),
      })
      const byId = new Map(fresh.map((one) => [one.movement.id, one]))
      const outcomes = before?.outcomes.map((one) => byId.get(one.movement.id) ?? one) ?? fresh
      return { decision, outcomes } satisfies Decided
    },
    onSuccess: ({ outcomes }) => {
      if (hasSessionEnded(outcomes)) queryClient.setQueryData(sessionKey, null)
      refresh(queryClient)
    },
  })
  const { data: decided, variables } = mutation
  useLeaveQuestion(mutation.isPending && !isAcknowledged)
  return {
    decide: (movements: readonly DecidedMovement[], decision: Decision) =>
      mutation.mutateAsync({ movements, decision }),
    retry: (before: Decided) =>
      mutation.mutateAsync({
        movements: before.outcomes.filter(isRetryable).map(({ movement }) => movement),
        decision: before.decision,
        before,
      }),
    reset: mutation.reset,
    isPending: mutation.isPending,
    /** The last outcomes; those of before while a retry runs. */
    decided: decided ?? variables?.before,
    progress: { settled, total: variables?.movements.length ?? 0, isAcknowledged },
  }
}
