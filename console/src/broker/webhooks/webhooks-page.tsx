import { Button, Group, Switch } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { ENDPOINT_STATUSES } from '../../../../src/events/rules/webhook.ts'
import { useOperation } from '../../api/use-operation.ts'
import { usePagedList } from '../../api/use-paged-list.ts'
import { Choice } from '../../components/choice.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { TextLink } from '../../components/link.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Forbidden } from '../../components/state-view.tsx'
import { Value } from '../../components/value.tsx'
import { column, text, timestamp, number } from '../../lists/columns.tsx'
import { usePermission } from '../../session/use-permission.ts'
import { type Endpoint, HealthBadge, ResultText } from './health.tsx'
import { type WebhooksSearch, webhooksSearchOf } from './search.ts'

const route = getRouteApi('/shell/webhooks')

const columnsOf = (t: TFunction<'webhooks'>): readonly Column<Endpoint>[] => [
  column(t('url'), 'minmax(13rem, 1fr)', ({ id, url }) => (
    <TextLink to="/webhooks/$endpointId" params={{ endpointId: id }}>
      <Value>{url}</Value>
    </TextLink>
  )),
  text(t('client'), 'client-name', 'minmax(7rem, 0.5fr)'),
  column(t('state'), '8.5rem', (endpoint) => <HealthBadge endpoint={endpoint} />),
  timestamp(t('failingSince'), 'failing-since'),
  column(t('lastError'), '11rem', ({ 'last-error': error }) =>
    error === null ? <Value>—</Value> : <ResultText {...error} />,
  ),
  number(t('pending'), 'pending-deliveries', '7rem'),
  timestamp(t('lastSuccess'), 'last-success-at'),
]

/** The webhook endpoints of all clients and whether the deliveries to them arrive. */
export function WebhooksPage() {
  const { t } = useTranslation('webhooks')
  const mayRead = usePermission('listAllWebhookEndpoints')
  return (
    <>
      <PageHeader title={t('title')} />
      {mayRead ? <Endpoints /> : <Forbidden />}
    </>
  )
}

function Endpoints() {
  const { t } = useTranslation('webhooks')
  const search = route.useSearch()
  const list = usePagedList('listAllWebhookEndpoints', search, { refetchInterval: 60_000 })
  const isFiltered = Object.keys(search).length > 0
  return (
    <>
      <Filters search={search} />
      <DataTable
        label={t('title')}
        columns={columnsOf(t)}
        list={list}
        idOf={({ id }) => id}
        empty={search.failing ? t('noneFailing') : isFiltered ? undefined : t('noEndpoints')}
      />
    </>
  )
}

function Filters({ search }: { readonly search: WebhooksSearch }) {
  const { t } = useTranslation(['webhooks', 'states'])
  const navigate = route.useNavigate()
  const change = (changed: Readonly<Record<string, unknown>>) =>
    void navigate({ search: (former) => webhooksSearchOf({ ...former, ...changed }), replace: true })
  // The clients come from the endpoints themselves: not every role may list the clients.
  const { data } = useOperation('listAllWebhookEndpoints', { query: { 'items-per-page': 500 } })
  const clients = new Map(data?.result.map((endpoint) => [endpoint['client-id'], endpoint['client-name']]))
  const chosen = search['client-id']
  if (chosen !== undefined && !clients.has(chosen)) clients.set(chosen, chosen)
  return (
    <Group align="flex-end" mb="md" gap="sm" role="search" aria-label={t('states:filters')}>
      <Choice
        label={t('client')}
        any={t('any')}
        isData
        value={chosen}
        data={[...clients].map(([value, label]) => ({ value, label }))}
        onChange={(id) => change({ 'client-id': id })}
      />
      <Choice
        label={t('status')}
        any={t('any')}
        value={search.status}
        data={ENDPOINT_STATUSES.map((value) => ({ value, label: t(`endpointStatus.${value}`) }))}
        onChange={(status) => change({ status })}
      />
      <Switch
        mb={8}
        label={t('onlyFailing')}
        checked={search.failing ?? false}
        onChange={({ currentTarget: { checked } }) => change({ failing: checked })}
      />
      {Object.keys(search).length > 0 && (
        <Button variant="default" onClick={() => void navigate({ search: {} })}>
          {t('states:clearFilters')}
        </Button>
      )}
    </Group>
  )
}
