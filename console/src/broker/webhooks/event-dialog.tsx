import { Alert, Button, Code, CopyButton, Group, Stack, Text, Title } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Result } from '@vigencia/client'
import { useTranslation } from 'react-i18next'
import { useOperation } from '../../api/use-operation.ts'
import { CompanyLabel } from '../../entities/companies/company-label.tsx'
import { ErrorMessage } from '../../components/error-message.tsx'
import { FactList, fact } from '../../components/fact-list.tsx'
import { QueryView } from '../../components/state-view.tsx'
import { NumberValue, TimestampValue, Value } from '../../components/value.tsx'
import { usePermission } from '../../session/use-permission.ts'
import { AttemptBadge, type Endpoint, ResultText } from '../../entities/webhooks/health.tsx'
import { redeliver } from './redeliver.ts'
import { PlainTable, plain } from '../../components/plain-table.tsx'
import { timestamp } from '../../lists/columns.tsx'
import { Dialog } from '../../components/dialog.tsx'

type Event = Result<'readAnyWebhookEvent'>

/** An event: the attempts to deliver it to an endpoint, what was sent, and another delivery. */
export default function EventDialog(props: {
  readonly eventId: string
  readonly endpoint: Endpoint
  readonly onClose: () => void
}) {
  const { t } = useTranslation(['webhooks', 'states'])
  const { eventId, endpoint, onClose } = props
  const event = useOperation('readAnyWebhookEvent', { path: [eventId] })
  return (
    <Dialog onClose={onClose} size="xl" title={t('eventTitle')}>
      <QueryView query={event}>{({ result }) => <EventView event={result} endpoint={endpoint} />}</QueryView>
    </Dialog>
  )
}

function EventView({ event, endpoint }: { readonly event: Event; readonly endpoint: Endpoint }) {
  const { t } = useTranslation(['webhooks', 'states'])
  const mayWrite = usePermission('redeliverAnyWebhookEvent')
  return (
    <Stack>
      <FactList
        facts={[
          fact(t('type'), <Code translate="no">{event.type}</Code>),
          fact(t('eventAt'), <TimestampValue value={event.timestamp} />),
          fact(t('company'), <CompanyLabel taxId={event['company-tax-id']} name={event['company-name']} />),
          fact(t('webhookId'), <Value>{event.id}</Value>),
        ]}
      />
      {mayWrite && <Redelivery eventId={event.id} endpoint={endpoint} />}
      <Attempts event={event} endpointId={endpoint.id} />
      <div>
        <Group justify="space-between" mb={4}>
          <Title order={3} size="h5">
            {t('sent')}
          </Title>
          <CopyButton value={event.body}>
            {({ copied, copy }) => (
              <Button size="compact-sm" variant="default" onClick={copy}>
                {copied ? t('states:copied') : t('states:copy')}
              </Button>
            )}
          </CopyButton>
        </Group>
        {/* Byte for byte, as text. */}
        <Code block translate="no" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {event.body}
        </Code>
      </div>
    </Stack>
  )
}

function Redelivery({ eventId, endpoint }: { readonly eventId: string; readonly endpoint: Endpoint }) {
  const { t } = useTranslation('webhooks')
  const queryClient = useQueryClient()
  const delivery = useMutation({
    mutationFn: () => redeliver(eventId, endpoint.id),
    onSuccess: (outcome) =>
      notifications.show({
        ...(outcome?.status === 'failed' ? { color: 'red' } : {}),
        message: outcome === null ? t('stillPending') : t(`redelivered.${outcome.status}`),
      }),
    // The outcome, also the one that is read when the attempt outlasts the wait.
    onSettled: () =>
      Promise.all(
        (
          [
            'readAnyWebhookEvent',
            'listAllWebhookDeliveries',
            'readAnyWebhookEndpoint',
            'listAllWebhookEndpoints',
          ] as const
        ).map((id) => queryClient.invalidateQueries({ queryKey: [id] })),
      ),
  })
  if (endpoint.status === 'disabled') return <Text size="sm">{t('isDisabled')}</Text>
  const { data: outcome } = delivery
  return (
    <Stack gap="xs" align="flex-start">
      <Button loading={delivery.isPending} onClick={() => delivery.mutate()}>
        {t('redeliver')}
      </Button>
      <div role="status">
        {delivery.isPending && <Text size="sm">{t('redelivering')}</Text>}
        {outcome === null && <Text size="sm">{t('stillPending')}</Text>}
        {outcome != null && (
          <Alert color={outcome.status === 'failed' ? 'red' : 'green'} title={t(`redelivered.${outcome.status}`)}>
            <ResultText {...outcome} />
          </Alert>
        )}
      </div>
      {delivery.error !== null && <ErrorMessage error={delivery.error} />}
    </Stack>
  )
}

function Attempts({ event, endpointId }: { readonly event: Event; readonly endpointId: string }) {
  const { t } = useTranslation('webhooks')
  const attempts = event.deliveries.filter((delivery) => delivery['endpoint-id'] === endpointId)
  return (
    <div>
      <Title order={3} size="h5" mb={4}>
        {t('attempts')}
      </Title>
      {attempts.length === 0 ? (
        <Text size="sm">{t('noAttempts')}</Text>
      ) : (
        <PlainTable<Event['deliveries'][number]>
          label={t('attemptsOfEvent')}
          aria-label={t('attempts')}
          items={attempts}
          idOf={({ id }) => id}
          columns={[
            plain(t('attempt'), ({ attempt }) => <NumberValue value={attempt} />),
            plain(t('status'), ({ status }) => <AttemptBadge status={status} />),
            timestamp(t('attemptedAt'), 'attempted-at'),
            plain(t('result'), (delivery) => <ResultText {...delivery} />),
            timestamp(t('nextAttempt'), 'next-attempt-at'),
          ]}
        />
      )}
    </div>
  )
}
