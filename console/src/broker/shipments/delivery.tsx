import { Group, Text } from '@mantine/core'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import type { ErrorCode } from '../../../../src/kernel/error-codes.ts'
import { DELIVERY_CHANNELS } from '../../../../src/exchange/rules/channel.ts'
import { mayAct } from '../../../../src/exchange/rules/shipment.ts'
import { useOperation } from '../../api/use-operation.ts'
import { usePagedList } from '../../api/use-paged-list.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { Value } from '../../components/value.tsx'
import { useOperatorNames } from '../../entities/decisions/use-operator-names.ts'
import { column, number, side, text, timestamp } from '../../lists/columns.tsx'
import { AttemptBadge, ResultText } from '../../entities/webhooks/health.tsx'
import type { Delivery, Shipment } from './shipment.ts'
import { ActButtons } from './shipment-actions.tsx'
import { SectionTitle } from '../../components/section-title.tsx'

/** While the workers take the file to the carrier. */
const refreshMilliseconds = 5_000

/** How the service takes the file of a shipment to the carrier, where the contract has a channel for it: each attempt. */
export function ShipmentDelivery({ shipment }: { readonly shipment: Shipment }) {
  const { t } = useTranslation(['shipments', 'terms', 'errors'])
  const nameOf = useOperatorNames()
  const contract = useOperation('readContract', { path: [shipment['contract-id']] }).data?.result
  const attempts = usePagedList(
    'listShipmentDeliveries',
    {},
    {
      path: [shipment['shipment-id']],
      refetchInterval: refreshMilliseconds,
    },
  )
  const hasChannel = DELIVERY_CHANNELS.some((channel) => channel === contract?.channel)
  const isClosed = mayAct('send', shipment.status)
  if (attempts.total === null || (attempts.total === 0 && !(hasChannel && isClosed))) return null
  const isPending = attempts.at(0)?.status === 'pending'
  return (
    <section aria-label={t('shipments:delivery')}>
      <SectionTitle mt="lg">{t('shipments:delivery')}</SectionTitle>
      {isClosed && (
        <Group mb="xs">
          {contract?.channel != null && (
            <Text size="sm">
              {t('shipments:deliveryChannel', { channel: t(`terms:contractChannel.${contract.channel}`) })}
            </Text>
          )}
          <ActButtons
            shipment={shipment}
            acts={[...(hasChannel ? ['deliver' as const] : []), ...(isPending ? ['stopDelivery' as const] : [])]}
          />
        </Group>
      )}
      <DataTable
        label={t('shipments:attempts')}
        columns={columnsOf(t, nameOf)}
        list={attempts}
        idOf={({ attempt }) => String(attempt)}
        empty={t('shipments:noAttempts')}
        maxHeight="30vh"
      />
    </section>
  )
}

const columnsOf = (
  t: TFunction<['shipments', 'terms', 'errors']>,
  nameOf: (clientId: string) => string,
): readonly Column<Delivery>[] => [
  number(t('shipments:attempt'), 'attempt'),
  column(t('shipments:channel'), '7rem', ({ channel }) => t(`terms:contractChannel.${channel}`)),
  side(t('shipments:status'), '8rem', ({ status }) => <AttemptBadge status={status} />),
  timestamp(t('shipments:attemptedAt'), 'attempted-at'),
  column(t('shipments:result'), 'minmax(16rem, 1fr)', (one) => <Result delivery={one} />),
  timestamp(t('shipments:nextAttempt'), 'next-attempt-at'),
  text(t('shipments:requestedBy'), (delivery) => nameOf(delivery['requested-by']), '9rem'),
]

/** Those that webhooks do not have. */
const ownErrors = [
  'host-key-changed',
  'not-authenticated',
  'file-differs',
  'not-written',
  'not-renamed',
  'not-closed',
  'channel-not-set',
  'package-missing',
  'stopped',
] as const

const answerPrefix = 'answer-'

/** What came of an attempt, or why a file in the folder of answers was not used. */
function Result({ delivery }: { readonly delivery: Delivery }) {
  const { t } = useTranslation(['shipments', 'errors'])
  const { error } = delivery
  if (error?.startsWith(answerPrefix)) {
    const code = error.slice(answerPrefix.length) as ErrorCode
    return (
      <>
        {t('shipments:answerNotUsed')} <Value>{t(`errors:${code}`)}</Value>
      </>
    )
  }
  const own = ownErrors.find((code) => code === error)
  return own === undefined ? <ResultText {...delivery} /> : t(`shipments:deliveryErrors.${own}`)
}
