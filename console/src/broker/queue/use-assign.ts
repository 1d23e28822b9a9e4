import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { useOperatorNames } from '../../entities/decisions/use-operator-names.ts'
import { formatNumber } from '../../format/number.ts'
import { useSession } from '../../session/session.ts'

/** Calls at once: a movement has a call of its own. */
const concurrency = 4

/** Movements, and who gets them. */
export interface Assignment {
  readonly ids: readonly string[]
  readonly assignee: string
}

/** Assigns movements to an operator, with progress. `onDone` gets the ids of those that were assigned. */
export function useAssign(onDone: (ids: readonly string[]) => void) {
  const { t } = useTranslation(['queue', 'states'])
  const queryClient = useQueryClient()
  const nameOf = useOperatorNames()
  const me = useSession()?.['client-id'] ?? ''
  return useMutation({
    mutationFn: async ({ ids, assignee }: Assignment) => {
      const [waiting, assigned] = [[...ids], [] as string[]]
      const words = (settled: number) =>
        t('queue:assign.running', { settled: formatNumber(settled), total: formatNumber(ids.length) })
      const id = notifications.show({
        loading: true,
        autoClose: false,
        message: words(0),
        closeButtonProps: { 'aria-label': t('states:close') },
      })
      let failed = 0
      const work = async () => {
        for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
          try {
            await api.enrollments.assign(next, { assignee })
            assigned.push(next)
          } catch {
            failed += 1
          }
          notifications.update({ id, message: words(assigned.length + failed) })
        }
      }
      await Promise.all(Array.from({ length: concurrency }, work))
      const numbers = { count: assigned.length, formatted: formatNumber(assigned.length) }
      const done =
        assignee === me
          ? t('queue:assign.done', numbers)
          : t('queue:assign.given', { ...numbers, name: nameOf(assignee) })
      notifications.update({
        id,
        loading: false,
        autoClose: 4_000,
        color: failed === 0 ? 'green' : 'red',
        message: failed === 0 ? done : `${done} ${t('queue:assign.failed', { count: failed })}`,
      })
      return assigned
    },
    onSuccess: (assigned) => {
      for (const id of ['listEnrollmentQueue', 'countEnrollments', 'readMovement']) {
        void queryClient.invalidateQueries({ queryKey: [id] })
      }
      onDone(assigned)
    },
  })
}
