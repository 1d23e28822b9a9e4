import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { mayAct } from '../../../../src/exchange/rules/shipment.ts'
import type { Permission } from '../../session/permissions.ts'
import { usePermission } from '../../session/use-permission.ts'
import { ShipmentActDialog } from './shipment-act-dialog.tsx'
import type { PersonalAct, Shipment } from './shipment.ts'

const acts = ['send', 'finish', 'close', 'reopen', 'cancel'] as const satisfies readonly PersonalAct[]

const permissions: Readonly<Record<PersonalAct, Permission>> = {
  close: 'closeShipment',
  reopen: 'reopenShipment',
  cancel: 'cancelShipment',
  send: 'sendShipment',
  finish: 'finishShipment',
  deliver: 'deliverShipment',
  stopDelivery: 'stopShipmentDelivery',
}

interface Props {
  readonly shipment: Shipment
  readonly acts: readonly PersonalAct[]
}

/** What the status of the shipment allows. */
export function ShipmentActions({ shipment }: { readonly shipment: Shipment }) {
  return <ActButtons shipment={shipment} acts={acts.filter((act) => mayAct(act, shipment.status))} />
}

/** A button for each act, with a question before it is done. */
export function ActButtons({ shipment, acts: possible }: Props) {
  const [asked, setAsked] = useState<PersonalAct | null>(null)
  return (
    <>
      {possible.map((act) => (
        <ActButton key={act} act={act} onAsk={() => setAsked(act)} />
      ))}
      {asked !== null && <ShipmentActDialog shipment={shipment} act={asked} onClose={() => setAsked(null)} />}
    </>
  )
}

function ActButton({ act, onAsk }: { readonly act: PersonalAct; readonly onAsk: () => void }) {
  const { t } = useTranslation('shipments')
  const mayDo = usePermission(permissions[act])
  if (!mayDo) return null
  return (
    <Button variant={act === 'send' || act === 'close' ? 'filled' : 'default'} onClick={onAsk}>
      {t(`act.${act}`)}
    </Button>
  )
}
