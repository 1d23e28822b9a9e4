import type { QueryClient } from '@tanstack/react-query'
import { ApiError } from '@vigencia/client'
import i18next from 'i18next'
import { api } from '../../api/client.ts'
import { errorWords } from '../../components/error-words.ts'
import { notifyDone, notifyFailed } from '../../components/notify.ts'
import { changedByDecisions } from './changed-by-decisions.ts'
import { removeHeld, removeUndone } from './held-decisions.ts'

/** Undoes the decisions of jobs, in this order, and says once what became of it. */
export async function undoDecisions(queryClient: QueryClient, jobIds: readonly string[]): Promise<void> {
  let undone = 0
  const errors = new Set<string>()
  for (const id of jobIds) {
    try {
      await api.decisionJobs.undo(id)
      undone += 1
      removeUndone(id)
    } catch (error) {
      const isAnswer = error instanceof ApiError
      errors.add(isAnswer ? errorWords({ error: error.message, code: error.code }) : i18next.t('decisions:undoFailed'))
      // Too late: there is nothing to undo any more.
      if (isAnswer && error.status < 500) removeHeld(id)
    }
  }
  if (undone > 0) notifyDone(i18next.t('decisions:undone', { count: undone }), 'undo')
  for (const message of errors) notifyFailed(message)
  refresh(queryClient)
}

/** Reads again what decisions change. */
export function refresh(queryClient: QueryClient): void {
  for (const id of changedByDecisions) void queryClient.invalidateQueries({ queryKey: [id] })
}
