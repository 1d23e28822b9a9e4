import { Checkbox, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { ActDialog } from '../../components/act-dialog.tsx'
import { formatNumber } from '../../format/number.ts'
import type { PersonalAct, Shipment } from './shipment.ts'

/** What is written in the dialog. */
interface Input {
  readonly skipNotReady: boolean
  /** As the input has it, in the time of Brasília: `2026-12-10T17:40`; empty: now. */
  readonly sentAt: string
  readonly protocol: string
}

function perform(id: string, act: PersonalAct, { skipNotReady, sentAt, protocol }: Input): Promise<unknown> {
  switch (act) {
    case 'close':
      return api.shipments.close(id, { 'skip-not-ready': skipNotReady })
    case 'send':
      return api.shipments.send(id, {
        // Brazil has no summer time.
        'sent-at': sentAt === '' ? null : `${sentAt}:00-03:00`,
        'carrier-protocol': protocol.trim() || null,
      })
    case 'reopen':
    case 'cancel':
    case 'finish':
    case 'deliver':
    case 'stopDelivery':
      return api.shipments[act](id)
    default:
      return act satisfies never
  }
}

/** Asks before something is done with a shipment, and for what it needs. */
export function ShipmentActDialog(props: {
  readonly shipment: Shipment
  readonly act: PersonalAct
  readonly onClose: () => void
}) {
  const { shipment, act, onClose } = props
  const { t } = useTranslation('shipments')
  const [input, setInput] = useState<Input>({ skipNotReady: false, sentAt: '', protocol: '' })
  const notReady = shipment.counts['not-ready'] ?? 0
  const change = (part: Partial<Input>) => setInput({ ...input, ...part })
  return (
    <ActDialog
      action={t(`act.${act}`)}
      isDestructive={act === 'cancel'}
      isDisabled={act === 'close' && notReady > 0 && !input.skipNotReady}
      act={() => perform(shipment['shipment-id'], act, input)}
      done={() => t(`done.${act}`, { number: String(shipment.number) })}
      onClose={onClose}
    >
      <Text size="sm">
        <Consequence shipment={shipment} act={act} />
      </Text>
      {act === 'close' && notReady > 0 && (
        <Checkbox
          label={t('skip', { count: notReady, formatted: formatNumber(notReady) })}
          checked={input.skipNotReady}
          onChange={({ currentTarget: { checked } }) => change({ skipNotReady: checked })}
        />
      )}
      {act === 'send' && (
        <>
          <TextInput
            label={t('protocol')}
            description={t('protocolDescription')}
            maxLength={60}
            autoComplete="off"
            data-autofocus
            value={input.protocol}
            onChange={({ currentTarget: { value } }) => change({ protocol: value })}
          />
          <TextInput
            label={t('sentAt')}
            description={t('sentAtDescription')}
            type="datetime-local"
            value={input.sentAt}
            onChange={({ currentTarget: { value } }) => change({ sentAt: value })}
          />
        </>
      )}
    </ActDialog>
  )
}

function Consequence({ shipment, act }: { readonly shipment: Shipment; readonly act: PersonalAct }) {
  const { t } = useTranslation('shipments')
  const counted = (count: number) => ({ count, formatted: formatNumber(count) })
  const { ready, sent } = shipment.counts
  switch (act) {
    case 'close':
      return t('closeText', counted(ready ?? 0))
    case 'send':
      return t('sendText', counted(ready ?? 0))
    case 'reopen':
      return t('reopenText')
    case 'cancel':
      return t('cancelText', { number: String(shipment.number) })
    case 'finish':
      return sent === 0 ? t('finishAnswered') : t('finishText', counted(sent))
    case 'deliver':
      return t('deliverText')
    case 'stopDelivery':
      return t('stopDeliveryText')
    default:
      return act satisfies never
  }
}
