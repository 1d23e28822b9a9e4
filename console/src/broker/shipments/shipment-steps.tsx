import { useTranslation } from 'react-i18next'
import type { ShipmentStatus } from '../../../../src/kernel/broker-enums.ts'
import { type Step, Steps } from '../../components/steps.tsx'
import { useOperatorNames } from '../../entities/decisions/use-operator-names.ts'
import { isOverdue } from '../../entities/shipments/overdue.ts'
import { formatDate, businessDate } from '../../format/date.ts'
import type { Shipment } from './shipment.ts'

/** The step that a shipment of each status is at. */
const stepOf: Readonly<Record<ShipmentStatus, string>> = {
  open: 'open',
  closed: 'closed',
  sent: 'sent',
  'partly-acknowledged': 'answer',
  acknowledged: 'answer',
  finished: 'finished',
  cancelled: 'cancelled',
}

/** How far a shipment is, from its first movement to the answer of the carrier. */
export function ShipmentSteps({ shipment }: { readonly shipment: Shipment }) {
  const { t } = useTranslation(['shipments', 'terms'])
  const nameOf = useOperatorNames()
  const { status } = shipment
  const sentBy = shipment['sent-by']
  const answer =
    status === 'partly-acknowledged' ? t('terms:shipmentStatus.partly-acknowledged') : t('shipments:answerStep')
  const closed = { key: 'closed', name: t('terms:shipmentStatus.closed'), at: shipment['closed-at'] }
  const others: readonly (Step | false)[] =
    status === 'cancelled'
      ? [shipment['closed-at'] !== null && closed, { key: 'cancelled', name: t('terms:shipmentStatus.cancelled') }]
      : [
          closed,
          {
            key: 'sent',
            name: t('terms:shipmentStatus.sent'),
            at: shipment['sent-at'],
            by: sentBy === null ? null : nameOf(sentBy),
          },
          { key: 'answer', name: answer, note: <AnswerNote shipment={shipment} /> },
          { key: 'finished', name: t('terms:shipmentStatus.finished'), at: shipment['finished-at'] },
        ]
  return (
    <Steps
      label={t('shipments:way')}
      steps={[{ key: 'open', name: t('terms:shipmentStatus.open'), at: shipment['created-at'] }, ...others]}
      present={stepOf[status]}
      isDone={status === 'finished'}
    />
  )
}

/** Until when the carrier should answer, while it has not. */
function AnswerNote({ shipment }: { readonly shipment: Shipment }) {
  const { t } = useTranslation('shipments')
  const { status, 'answer-until': until } = shipment
  const isWaiting = status === 'sent' || status === 'partly-acknowledged'
  return (
    <>
      {isWaiting && until !== null && t('answerBy', { date: formatDate(until) })}
      {isOverdue(shipment, businessDate()) && (
        <>
          {' · '}
          <strong className="overdue">{t('overdue')}</strong>
        </>
      )}
    </>
  )
}
