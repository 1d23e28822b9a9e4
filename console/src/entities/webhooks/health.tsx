import { Code, Text } from '@mantine/core'
import type { Item } from '@vigencia/client'
import { useTranslation } from 'react-i18next'
import { Badge } from '../../components/badge.tsx'
import { Absent, Value } from '../../components/value.tsx'

export type Endpoint = Item<'listAllWebhookEndpoints'>

/** Whether the deliveries to an endpoint arrive: disabled, failing, or neither. */
export function HealthBadge({ endpoint }: { readonly endpoint: Endpoint }) {
  const { t } = useTranslation('webhooks')
  if (endpoint.status === 'disabled') {
    const reason = endpoint['disabled-reason'] ?? 'requested'
    return <Badge color={reason === 'requested' ? 'gray' : 'red'}>{t(`disabled.${reason}`)}</Badge>
  }
  const health =
    endpoint['failing-since'] !== null ? 'failing' : endpoint['last-success-at'] === null ? 'unused' : 'delivering'
  const colors = { failing: 'red', unused: 'gray', delivering: 'green' } as const
  return <Badge color={colors[health]}>{t(`health.${health}`)}</Badge>
}

const knownErrors = [
  'timeout',
  'connection-refused',
  'connection-reset',
  'connection-failed',
  'private-address',
  'https-required',
  'name-not-found',
  'name-not-resolved',
  'tls',
  'unreachable',
  'redirect',
  'bad-answer',
  'not-sent',
  'not-entitled',
  'event-removed',
] as const

interface AttemptResult {
  readonly 'response-status': number | null
  readonly error: string | null
}

/** The result of an attempt in words: the status of the response, or why there is none. */
export function ResultText({ 'response-status': status, error }: AttemptResult) {
  const { t } = useTranslation('webhooks')
  const known = knownErrors.find((code) => code === error)
  return (
    <>
      {status !== null && t('responseStatus', { status })}
      {status !== null && error !== null && <Value>{' · '}</Value>}
      {known !== undefined ? t(`errors.${known}`) : error !== null && <Value>{error}</Value>}
      {status === null && error === null && <Absent />}
    </>
  )
}

export type Delivery = Item<'listAllWebhookDeliveries'>

/** The status of an attempt. */
export function AttemptBadge({ status }: { readonly status: Delivery['status'] }) {
  const { t } = useTranslation('webhooks')
  const colors = { pending: 'blue', succeeded: 'green', failed: 'red' } as const
  return <Badge color={colors[status]}>{t(`attemptStatus.${status}`)}</Badge>
}

/** The types that an endpoint receives. */
export function EventTypes({ types }: { readonly types: readonly string[] }) {
  const { t } = useTranslation('webhooks')
  return <Text size="sm">{types.length === 0 ? t('allTypes') : <Code translate="no">{types.join(', ')}</Code>}</Text>
}
