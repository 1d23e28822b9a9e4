import { notifications } from '@mantine/notifications'
import type { QueryClient } from '@tanstack/react-query'
import type { DecisionJob } from '@vigencia/client'
import i18next from 'i18next'
import { api } from '../../api/client.ts'
import { errorWords } from '../../components/error-words.ts'
import { Value } from '../../components/value.tsx'
import type { DecidedMovement } from './decision.ts'
import { holdMs } from './held-decisions.ts'
import { refresh } from './undo.ts'

/** Waits until held decisions are made, and says of whom they were not. */
export function followHeld(queryClient: QueryClient, job: DecisionJob, movements: readonly DecidedMovement[]): void {
  setTimeout(() => void follow(queryClient, job, movements), holdMs(job))
}

async function follow(
  queryClient: QueryClient,
  { 'job-id': id, rejected }: DecisionJob,
  movements: readonly DecidedMovement[],
): Promise<void> {
  try {
    const job = await api.decisionJobs.wait(id)
    if (job.status !== 'undone' && job.rejected > rejected) {
      const { result } = await api.decisionJobs.result(id)
      const names = new Map(movements.map((one) => [one.id, one['member-name']]))
      const failed = result.flatMap((line) => {
        const name = names.get(line['enrollment-id'] ?? '')
        return line.error === undefined || name === undefined
          ? []
          : [{ name, message: errorWords({ ...line, error: line.error }) }]
      })
      for (const [message, lines] of Map.groupBy(failed, (one) => one.message)) tell(message, lines)
    }
  } catch (error) {
    // The session ended, or the network is away: the lists show the movement as it is.
    if (!(error instanceof Error)) throw error
  }
  refresh(queryClient)
}

/** As many names as one can take in. */
const maxNames = 3

function tell(message: string, lines: readonly { readonly name: string }[]): void {
  const names = lines.slice(0, maxNames).map(({ name }) => name)
  const others = lines.length - names.length
  notifications.show({
    color: 'red',
    autoClose: false,
    closeButtonProps: { 'aria-label': i18next.t('states:close') },
    title: (
      <>
        <Value>{names.join(', ')}</Value>
        {others > 0 && ` ${i18next.t('decisions:andOthers', { count: others })}`}
      </>
    ),
    message: <Value>{message}</Value>,
  })
}
