import { useOperation } from '../api/use-operation.ts'
import { usePermission } from '../session/use-permission.ts'
import type { Area } from './areas.ts'

const refreshMilliseconds = 60_000

/** What is to be done in an area: movements that have come in, webhook endpoints that fail. */
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
  return {
    queue: created.data?.pagination['total-items'] ?? 0,
    webhooks: failing.data?.pagination['total-items'] ?? 0,
  }
}
