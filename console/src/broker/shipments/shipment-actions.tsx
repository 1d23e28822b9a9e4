import { Button, Menu } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { mayAct } from '../../../../src/exchange/rules/shipment.ts'
import { MoreMenu } from '../../components/more-menu.tsx'
import { isPermitted, type Permission } from '../../session/permissions.ts'
import { useSession } from '../../session/session.ts'
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

/** The act that each status waits for: of one that was sent it is the answer of the carrier. */
const nextActs: Readonly<Record<Shipment['status'], PersonalAct | null>> = {
  open: 'close',
  closed: 'send',
  sent: null,
  'partly-acknowledged': null,
  acknowledged: 'finish',
  finished: null,
  cancelled: null,
}

/** What the status of the shipment allows: the next act as a button, the others in a menu. */
export function ShipmentActions({ shipment }: { readonly shipment: Shipment }) {
  const { t } = useTranslation('shipments')
  const session = useSession()
  const [asked, setAsked] = useState<PersonalAct | null>(null)
  const next = nextActs[shipment.status]
  const others = acts.filter(
    (act) => act !== next && mayAct(act, shipment.status) && session !== null && isPermitted(session, permissions[act]),
  )
  return (
    <>
      {next !== null && <ActButton act={next} isNext onAsk={() => setAsked(next)} />}
      <MoreMenu>
        {others.map((act) => (
          <Menu.Item key={act} {...(act === 'cancel' ? { color: 'red' } : {})} onClick={() => setAsked(act)}>
            {t(`act.${act}`)}
          </Menu.Item>
        ))}
      </MoreMenu>
      {asked !== null && <ShipmentActDialog shipment={shipment} act={asked} onClose={() => setAsked(null)} />}
    </>
  )
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

function ActButton(props: { readonly act: PersonalAct; readonly isNext?: boolean; readonly onAsk: () => void }) {
  const { act, isNext = false, onAsk } = props
  const { t } = useTranslation('shipments')
  const mayDo = usePermission(permissions[act])
  if (!mayDo) return null
  return (
    <Button variant={isNext ? 'filled' : 'default'} onClick={onAsk}>
      {t(`act.${act}`)}
    </Button>
  )
}
