import { Box } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { mayAct } from '../../../../src/exchange/rules/shipment.ts'
import { useOperation } from '../../api/use-operation.ts'
import { ContextLine } from '../../components/context-line.tsx'
import { contractLinks } from '../../components/contract-links.tsx'
import { Copied } from '../../components/copied.tsx'
import { ObjectPage } from '../../components/object-page.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { RawView } from '../../components/raw-view.tsx'
import { Loading } from '../../components/state-view.tsx'
import { DateValue, Value } from '../../components/value.tsx'
import { usePermission } from '../../session/use-permission.ts'
import { ShipmentDelivery } from './delivery.tsx'
import { ItemTable } from './item-table.tsx'
import { NotReady } from './not-ready.tsx'
import type { Shipment } from './shipment.ts'
import { ShipmentActions } from './shipment-actions.tsx'
import { ShipmentFile } from './shipment-file.tsx'
import { ShipmentSteps } from './shipment-steps.tsx'
import { SectionTitle } from '../../components/section-title.tsx'

// With the drop zone.
const Acknowledgement = lazy(() => import('./acknowledgement.tsx'))

const route = getRouteApi('/shell/carriers/shipments/$shipmentId')

/** While movements join the shipment or the workers move them. */
const refreshMilliseconds = 5_000

export function ShipmentPage() {
  const { t } = useTranslation('shipments')
  const { shipmentId } = route.useParams()
  const shipment = useOperation('readShipment', { path: [shipmentId] }, { refetchInterval: refreshMilliseconds })
  return (
    <ObjectPage query={shipment} title={t('number')}>
      {({ result }) => <ShipmentView shipment={result} />}
    </ObjectPage>
  )
}

function ShipmentView({ shipment }: { readonly shipment: Shipment }) {
  const { t } = useTranslation('shipments')
  const mayAcknowledge = usePermission('acknowledgeShipment')
  return (
    <>
      <PageHeader
        title={
          <Value>
            {t('titleOne', {
              number: String(shipment.number),
              carrier: shipment['carrier-name'],
              contract: shipment['contract-number'],
            })}
          </Value>
        }
      >
        <ShipmentActions shipment={shipment} />
      </PageHeader>
      <Context shipment={shipment} />
      <ShipmentSteps shipment={shipment} />
      {shipment.file !== null && <ShipmentFile shipment={shipment} file={shipment.file} />}
      {shipment.status !== 'open' && <ShipmentDelivery shipment={shipment} />}
      {mayAcknowledge && mayAct('acknowledge', shipment.status) && (
        <Suspense fallback={<Loading />}>
          <Acknowledgement shipment={shipment} />
        </Suspense>
      )}
      {(shipment.counts['not-ready'] ?? 0) > 0 && <NotReady shipment={shipment} />}
      <SectionTitle mt="lg">{t('items')}</SectionTitle>
      <ItemTable shipment={shipment} />
      <Box mt="lg">
        <RawView value={shipment} />
      </Box>
    </>
  )
}

/** What the shipment belongs to, and for when it is. */
function Context({ shipment }: { readonly shipment: Shipment }) {
  const { t } = useTranslation('shipments')
  const { 'cut-off-date': cutOff, 'coverage-start': start, 'carrier-protocol': protocol } = shipment
  return (
    <ContextLine
      items={[
        ...contractLinks(shipment),
        cutOff !== null && (
          <>
            {t('cutOff')} <DateValue value={cutOff} />
          </>
        ),
        start !== null && (
          <>
            {t('coverageStart')} <DateValue value={start} />
          </>
        ),
        protocol !== null && (
          <>
            {t('protocol')}{' '}
            <Copied text={protocol} name={t('protocol')}>
              <Value>{protocol}</Value>
            </Copied>
          </>
        ),
      ]}
    />
  )
}
