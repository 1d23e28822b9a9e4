import { Code } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { EVENT_TYPES } from '../../../../src/kernel/events.ts'
import { DELIVERY_STATUSES } from '../../../../src/events/rules/webhook.ts'
import { CompanyLabel } from '../../entities/companies/company-label.tsx'
import { TextLink } from '../../components/link.tsx'
import { column, number, side, timestamp } from '../../lists/columns.tsx'
import { AttemptBadge, ResultText } from '../../entities/webhooks/health.tsx'
import { ChoiceFilter, Filters } from '../../lists/filters.tsx'
import { listTable } from '../../lists/list-page.tsx'
import type { EndpointSearch } from './search.ts'

const Table = listTable('listAllWebhookDeliveries')

/** The attempts to deliver to an endpoint, those of the newest event first. */
export function Deliveries({ endpointId, search }: { readonly endpointId: string; readonly search: EndpointSearch }) {
  const { t } = useTranslation('webhooks')
  const { event: _event, ...filters } = search
  return (
    <>
      <Filters>
        <ChoiceFilter name="type" label={t('type')} any={t('any')} isData data={EVENT_TYPES} />
        <ChoiceFilter
          name="status"
          label={t('status')}
          any={t('any')}
          data={DELIVERY_STATUSES.map((value) => ({ value, label: t(`attemptStatus.${value}`) }))}
        />
      </Filters>
      <Table
        label={t('attempts')}
        query={{ 'webhook-endpoint-id': endpointId, ...filters }}
        options={{ refetchInterval: 60_000 }}
        columns={[
          column(t('event'), 'minmax(14rem, 1fr)', (delivery) => (
            <TextLink
              from="/webhooks/$endpointId"
              to="/webhooks/$endpointId"
              search={(former: EndpointSearch) => ({ ...former, event: delivery['event-id'] })}
            >
              {delivery['event-type'] === null ? (
                t('deletedEvent')
              ) : (
                <Code translate="no">{delivery['event-type']}</Code>
              )}
            </TextLink>
          )),
          column(t('company'), 'minmax(16rem, 1fr)', (delivery) => (
            <CompanyLabel taxId={delivery['company-tax-id']} name={delivery['company-name']} />
          )),
          number(t('attempt'), 'attempt'),
          side(t('status'), '8rem', ({ status }) => <AttemptBadge status={status} />),
          timestamp(t('attemptedAt'), 'attempted-at'),
          column(t('result'), 'minmax(12rem, 1fr)', (delivery) => <ResultText {...delivery} />),
          timestamp(t('nextAttempt'), 'next-attempt-at'),
        ]}
        idOf={({ id }) => id}
        empty={Object.keys(filters).length === 0 ? t('noDeliveries') : undefined}
        maxHeight="60vh"
      />
    </>
  )
}
