import { Button, Code, Group } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { EVENT_TYPES } from '../../../../src/kernel/events.ts'
import { DELIVERY_STATUSES } from '../../../../src/events/rules/webhook.ts'
import { usePagedList } from '../../api/use-paged-list.ts'
import { CompanyLabel } from '../../entities/companies/company-label.tsx'
import { Choice } from '../../components/choice.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { TextLink } from '../../components/link.tsx'
import { column, number, timestamp } from '../../lists/columns.tsx'
import { AttemptBadge, type Delivery, ResultText } from './health.tsx'
import { type EndpointSearch, endpointSearchOf } from './search.ts'

const route = getRouteApi('/shell/webhooks/$endpointId')

const columnsOf = (t: TFunction<'webhooks'>): readonly Column<Delivery>[] => [
  column(t('event'), 'minmax(14rem, 1fr)', (delivery) => (
    <TextLink
      from="/webhooks/$endpointId"
      to="/webhooks/$endpointId"
      search={(former: EndpointSearch) => ({ ...former, event: delivery['event-id'] })}
    >
      {delivery['event-type'] === null ? t('deletedEvent') : <Code translate="no">{delivery['event-type']}</Code>}
    </TextLink>
  )),
  column(t('company'), 'minmax(16rem, 1fr)', (delivery) => (
    <CompanyLabel taxId={delivery['company-tax-id']} name={delivery['company-name']} />
  )),
  number(t('attempt'), 'attempt'),
  column(t('status'), '8rem', ({ status }) => <AttemptBadge status={status} />),
  timestamp(t('attemptedAt'), 'attempted-at'),
  column(t('result'), 'minmax(12rem, 1fr)', (delivery) => <ResultText {...delivery} />),
  timestamp(t('nextAttempt'), 'next-attempt-at'),
]

/** The attempts to deliver to an endpoint, those of the newest event first. */
export function Deliveries({ endpointId, search }: { readonly endpointId: string; readonly search: EndpointSearch }) {
  const { t } = useTranslation('webhooks')
  const { event: _event, ...filters } = search
  const list = usePagedList(
    'listAllWebhookDeliveries',
    { 'webhook-endpoint-id': endpointId, ...filters },
    { refetchInterval: 60_000 },
  )
  return (
    <>
      <Filters filters={filters} />
      <DataTable
        label={t('attempts')}
        columns={columnsOf(t)}
        list={list}
        idOf={({ id }) => id}
        empty={Object.keys(filters).length === 0 ? t('noDeliveries') : undefined}
        maxHeight="60vh"
      />
    </>
  )
}

function Filters({ filters }: { readonly filters: Omit<EndpointSearch, 'event'> }) {
  const { t } = useTranslation(['webhooks', 'states'])
  const navigate = route.useNavigate()
  const change = (changed: Readonly<Record<string, unknown>>) =>
    void navigate({ search: (former) => endpointSearchOf({ ...former, ...changed }), replace: true })
  return (
    <Group align="flex-end" mb="md" gap="sm" role="search" aria-label={t('states:filters')}>
      <Choice
        label={t('type')}
        any={t('any')}
        isData
        value={filters.type}
        data={EVENT_TYPES}
        onChange={(type) => change({ type })}
      />
      <Choice
        label={t('status')}
        any={t('any')}
        value={filters.status}
        data={DELIVERY_STATUSES.map((value) => ({ value, label: t(`attemptStatus.${value}`) }))}
        onChange={(status) => change({ status })}
      />
      {Object.keys(filters).length > 0 && (
        <Button variant="default" onClick={() => void navigate({ search: {} })}>
          {t('states:clearFilters')}
        </Button>
      )}
    </Group>
  )
}
