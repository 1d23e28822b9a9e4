import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useOperation } from '../api/use-operation.ts'
import { useChosenCompany } from '../entities/company-hr/chosen-company.ts'
import { usePermission } from '../session/use-permission.ts'
import type { Area } from './areas.ts'

const refreshMilliseconds = 60_000

/** What is to be done in an area: movements that have come in or wait for an answer, drafts that wait, webhook endpoints that fail, steps that are put aside. */
export function useWorkCounts(): Readonly<Partial<Record<Area['name'], number>>> {
  const mayDecide = usePermission('moveEnrollment')
  const mayMend = usePermission('redeliverAnyWebhookEvent')
  const one = { page: 1, 'items-per-page': 1 }
  const created = useOperation(
    'listEnrollmentQueue',
    { query: { status: 'created', ...one } },
    { refetchInterval: refreshMilliseconds, enabled: mayDecide },
  )
  const failing = useOperation(
    'listAllWebhookEndpoints',
    { query: { failing: true, status: 'enabled', ...one } },
    { refetchInterval: refreshMilliseconds, enabled: mayMend },
  )
  const aside = useOperation(
    'listFailedSteps',
    { query: { status: 'put-aside', ...one } },
    { refetchInterval: refreshMilliseconds, enabled: usePermission('retryFailedStep') },
  )
  const drafts = useOperation(
    'listAllMovementDrafts',
    { query: { source: 'batch', status: 'open', ...one } },
    { refetchInterval: refreshMilliseconds, enabled: usePermission('confirmAnyMovementDraft') },
  )
  const pending = usePendingCount()
  return {
    hrPending: pending,
    drafts: drafts.data?.pagination['total-items'] ?? 0,
    queue: created.data?.pagination['total-items'] ?? 0,
    failedSteps: aside.data?.pagination['total-items'] ?? 0,
    webhooks: failing.data?.pagination['total-items'] ?? 0,
  }
}

/** What waits for an answer of the company that a person of companies has chosen. */
function usePendingCount(): number {
  const isOfCompany = usePermission('listEnrollmentHistory')
  const queryClient = useQueryClient()
  const [chosen] = useChosenCompany()
  const { data = 0 } = useQuery({
    queryKey: ['pendingCount', chosen],
    queryFn: async () => {
      const { pendingCount } = await import('../entities/company-hr/pending-count.ts')
      return pendingCount(queryClient, chosen)
    },
    refetchInterval: refreshMilliseconds,
    enabled: isOfCompany,
  })
  return data
}
