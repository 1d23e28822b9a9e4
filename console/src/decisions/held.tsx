import { Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { QueryClient } from '@tanstack/react-query'
import { ApiError, type DecisionJob } from '@vigencia/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../api/client.ts'
import { errorWords } from '../components/error-words.ts'
import { Value } from '../components/value.tsx'
import { changedByDecisions } from './changed-by-decisions.ts'

/** Shows a decision that waits, with a button to undo it, until it is made. Errors that only show then are notified, too. */
export function notifyHeld(queryClient: QueryClient, job: DecisionJob, text: string): void {
  const id = job['job-id']
  const leftMs = Date.parse(job['undo-until'] ?? '') - Date.parse(job['created-at'])
  notifications.show({
    id,
    color: 'green',
    withCloseButton: false,
    autoClose: leftMs,
    message: <HeldDecision jobId={id} text={text} onUndone={() => refresh(queryClient)} />,
  })
  setTimeout(() => void follow(queryClient, job), leftMs)
}

/** What was decided, and the button to undo it. */
export function HeldDecision(props: { readonly jobId: string; readonly text: string; readonly onUndone: () => void }) {
  const { t } = useTranslation('decisions')
  const [state, setState] = useState<'held' | 'undoing' | 'undone'>('held')
  const [error, setError] = useState<string | null>(null)
  const undo = async () => {
    setState('undoing')
    try {
      await api.decisionJobs.undo(props.jobId)
      setState('undone')
    } catch (thrown) {
      setState('held')
      setError(thrown instanceof ApiError ? errorWords({ error: thrown.message, code: thrown.code }) : t('undoFailed'))
    }
    props.onUndone()
  }
  return (
    <Group justify="space-between" wrap="nowrap">
      <div role="status">
        <Text size="sm">
          <Value>{state === 'undone' ? t('undone') : props.text}</Value>
        </Text>
        {error !== null && (
          <Text size="sm" c="var(--mantine-color-error)">
            {error}
          </Text>
        )}
      </div>
      {state !== 'undone' && (
        <Button size="xs" variant="default" loading={state === 'undoing'} onClick={() => void undo()}>
          {t('undo')}
        </Button>
      )}
    </Group>
  )
}

/** Waits until the decisions are made, and says which were not. */
async function follow(queryClient: QueryClient, { 'job-id': id, rejected }: DecisionJob): Promise<void> {
  try {
    const job = await api.decisionJobs.wait(id)
    if (job.status !== 'undone' && job.rejected > rejected) {
      const { result } = await api.decisionJobs.result(id)
      const messages = new Set(
        result.flatMap((line) => (line.error === undefined ? [] : [errorWords({ ...line, error: line.error })])),
      )
      for (const message of messages)
        notifications.show({ color: 'red', autoClose: false, message: <Value>{message}</Value> })
    }
  } catch (error) {
    // The session ended, or the network is away: the lists show the movement as it is.
    if (!(error instanceof Error)) throw error
  }
  refresh(queryClient)
}

/** Reads again what decisions change. */
export function refresh(queryClient: QueryClient): void {
  for (const id of changedByDecisions) void queryClient.invalidateQueries({ queryKey: [id] })
}
