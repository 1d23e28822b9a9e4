import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { sessionKey } from '../api/session-key.ts'
import { changedByDecisions } from './changed-by-decisions.ts'
import { decide, type DecisionOutcome, type DecisionProgress, hasSessionEnded, isRetryable } from './decide.ts'
import type { DecidedMovement, Decision } from './decision.ts'
import { notifyHeld } from './held.tsx'
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
  const mutation = useMutation({
    mutationFn: async (order: { movements: readonly DecidedMovement[]; decision: Decision; before?: Decided }) => {
      const { movements, decision, before } = order
      setProgress(notBegun)
      const fresh = await decide(movements, decision, setProgress)
      const byId = new Map(fresh.map((one) => [one.movement.id, one]))
      const outcomes = before?.outcomes.map((one) => byId.get(one.movement.id) ?? one) ?? fresh
      return { decision, outcomes } satisfies Decided
    },
    onSuccess: ({ decision, outcomes }) => {
      const held = outcomes.flatMap((one) => (one.kind === 'held' ? [one] : []))
      const [first] = held
      if (first !== undefined) {
        const status = t(`terms:status.${decision.target}`)
        const name = first.movement['member-name']
        const isSingle = held.length === 1
        const text = isSingle ? t('notified', { status, name }) : t('notifiedAll', { status, count: held.length })
        notifyHeld(queryClient, first.job, text)
      }
      if (hasSessionEnded(outcomes)) queryClient.setQueryData(sessionKey, null)
      for (const id of changedByDecisions) void queryClient.invalidateQueries({ queryKey: [id] })
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
