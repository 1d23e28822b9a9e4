import { Switch } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { ENDPOINT_STATUSES } from '../../../../src/events/rules/webhook.ts'
import { useOperation } from '../../api/use-operation.ts'
import { TextLink } from '../../components/link.tsx'
import { Absent, Value } from '../../components/value.tsx'
import { HealthBadge, ResultText } from '../../entities/webhooks/health.tsx'
import { column, number, side, text, timestamp } from '../../lists/columns.tsx'
import { ChoiceFilter, Filters, useFilters } from '../../lists/filters.tsx'
import { listPage } from '../../lists/list-page.tsx'

const List = listPage('listAllWebhookEndpoints')

/** The webhook endpoints of all clients and whether the deliveries to them arrive. */
export function WebhooksPage() {
  const { t } = useTranslation('webhooks')
  const { search } = useFilters()
  const isFiltered = Object.keys(search).length > 0
  return (
    <List
      title={t('title')}
      options={{ refetchInterval: 60_000 }}
      filters={<EndpointFilters />}
      columns={[
        column(t('url'), 'minmax(13rem, 1fr)', ({ id, url }) => (
          <TextLink to="/webhooks/$endpointId" params={{ endpointId: id }}>
            <Value>{url}</Value>
          </TextLink>
        )),
        text(t('client'), 'client-name', 'minmax(7rem, 0.5fr)'),
        side(t('state'), '8.5rem', (endpoint) => <HealthBadge endpoint={endpoint} />),
        timestamp(t('failingSince'), 'failing-since'),
        column(t('lastError'), '11rem', ({ 'last-error': error }) =>
          error === null ? <Absent /> : <ResultText {...error} />,
        ),
        number(t('pending'), 'pending-deliveries', '7rem'),
        timestamp(t('lastSuccess'), 'last-success-at'),
      ]}
      idOf={({ id }) => id}
      empty={search.failing ? t('noneFailing') : isFiltered ? undefined : t('noEndpoints')}
    />
  )
}

function EndpointFilters() {
  const { t } = useTranslation('webhooks')
  const { search, change } = useFilters()
  // The names come with the endpoints: not every role may list the clients.
  const { data } = useOperation('listAllWebhookEndpoints', { query: { 'items-per-page': 500 } })
  const clients = new Map(data?.result.map((endpoint) => [endpoint['client-id'], endpoint['client-name']]))
  const chosen = search['client-id']
  if (chosen !== undefined && !clients.has(chosen)) clients.set(chosen, chosen)
  return (
    <Filters>
      <ChoiceFilter
        name="client-id"
        label={t('client')}
        any={t('any')}
        isData
        data={[...clients].map(([value, label]) => ({ value, label }))}
      />
      <ChoiceFilter
        name="status"
        label={t('status')}
        any={t('any')}
        data={ENDPOINT_STATUSES.map((value) => ({ value, label: t(`endpointStatus.${value}`) }))}
      />
      <Switch
        mb={8}
        label={t('onlyFailing')}
        checked={search.failing ?? false}
        onChange={({ currentTarget: { checked } }) => change({ failing: checked || undefined })}
      />
    </Filters>
  )
}
