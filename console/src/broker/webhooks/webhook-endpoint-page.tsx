import { Stack } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { useOperation } from '../../api/use-operation.ts'
import { FactList, fact } from '../../components/fact-list.tsx'
import { TextLink } from '../../components/link.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { RawView } from '../../components/raw-view.tsx'
import { Forbidden, QueryView } from '../../components/state-view.tsx'
import { Absent, NumberValue, TimestampValue, Value } from '../../components/value.tsx'
import { usePermission } from '../../session/use-permission.ts'
import { Deliveries } from './deliveries.tsx'
import { type Endpoint, EventTypes, HealthBadge, ResultText } from '../../entities/webhooks/health.tsx'
import { SectionTitle } from '../../components/section-title.tsx'

const EventDialog = lazy(() => import('./event-dialog.tsx'))

const route = getRouteApi('/shell/webhooks/$endpointId')

/** A webhook endpoint: its health, and every attempt to deliver to it. */
export function WebhookEndpointPage() {
  const { t } = useTranslation('webhooks')
  const { endpointId } = route.useParams()
  const mayRead = usePermission('listAllWebhookEndpoints')
  const endpoint = useOperation(
    'readAnyWebhookEndpoint',
    { path: [endpointId] },
    { refetchInterval: 60_000, enabled: mayRead },
  )
  return (
    <>
      <PageHeader title={t('endpointTitle')} />
      {mayRead ? (
        <QueryView query={endpoint}>{({ result }) => <EndpointView endpoint={result} />}</QueryView>
      ) : (
        <Forbidden />
      )}
    </>
  )
}

function EndpointView({ endpoint }: { readonly endpoint: Endpoint }) {
  const { t } = useTranslation('webhooks')
  const search = route.useSearch()
  const navigate = route.useNavigate()
  return (
    <Stack gap="lg">
      <Facts endpoint={endpoint} />
      <section aria-label={t('deliveries')}>
        <SectionTitle mb="sm">{t('deliveries')}</SectionTitle>
        <Deliveries endpointId={endpoint.id} search={search} />
      </section>
      <RawView value={endpoint} />
      {search.event !== undefined && (
        <Suspense>
          <EventDialog
            key={search.event}
            eventId={search.event}
            endpoint={endpoint}
            onClose={() => void navigate({ search: ({ event: _event, ...filters }) => filters })}
          />
        </Suspense>
      )}
    </Stack>
  )
}

function Facts({ endpoint }: { readonly endpoint: Endpoint }) {
  const { t } = useTranslation('webhooks')
  const maySeeClients = usePermission('listClients')
  const { 'client-id': clientId, 'last-error': error } = endpoint
  const name = <Value>{endpoint['client-name']}</Value>
  return (
    <FactList
      facts={[
        fact(t('url'), <Value>{endpoint.url}</Value>),
        fact(
          t('client'),
          maySeeClients ? (
            <TextLink to="/clients/$clientId" params={{ clientId }}>
              {name}
            </TextLink>
          ) : (
            name
          ),
        ),
        fact(t('state'), <HealthBadge endpoint={endpoint} />),
        fact(t('types'), <EventTypes types={endpoint['event-types']} />),
        fact(t('failingSince'), <TimestampValue value={endpoint['failing-since']} />),
        fact(
          t('lastError'),
          error === null ? (
            <Absent />
          ) : (
            <>
              <TimestampValue value={error.at} /> <Value>·</Value> <ResultText {...error} />
            </>
          ),
        ),
        fact(t('lastSuccess'), <TimestampValue value={endpoint['last-success-at']} />),
        fact(
          t('pending'),
          <TextLink to="/webhooks/$endpointId" params={{ endpointId: endpoint.id }} search={{ status: 'pending' }}>
            <NumberValue value={endpoint['pending-deliveries']} />
          </TextLink>,
        ),
        fact(t('oldestPending'), <TimestampValue value={endpoint['oldest-pending-at']} />),
        fact(t('createdAt'), <TimestampValue value={endpoint['created-at']} />),
      ]}
    />
  )
}
