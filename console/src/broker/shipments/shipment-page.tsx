import { Box } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { mayAct } from '../../../../src/exchange/rules/shipment.ts'
import { useOperation } from '../../api/use-operation.ts'
import { contractFacts } from '../../components/contract-facts.tsx'
import { FactList, fact } from '../../components/fact-list.tsx'
import { ObjectPage } from '../../components/object-page.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { RawView } from '../../components/raw-view.tsx'
import { Loading } from '../../components/state-view.tsx'
import { DateValue, TextValue, TimestampValue, Value } from '../../components/value.tsx'
import { useOperatorNames } from '../../entities/decisions/use-operator-names.ts'
import { saoPauloDay } from '../../format/date.ts'
import { usePermission } from '../../session/use-permission.ts'
import { ShipmentDelivery } from './delivery.tsx'
import { ItemTable } from './item-table.tsx'
import { NotReady } from './not-ready.tsx'
import { isOverdue } from '../../entities/shipments/overdue.ts'
import type { Shipment } from './shipment.ts'
import { ShipmentActions } from './shipment-actions.tsx'
import { ShipmentFile } from './shipment-file.tsx'
import { ShipmentStatusBadge } from '../../entities/shipments/shipment-status.tsx'
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
      <ShipmentFacts shipment={shipment} />
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

function ShipmentFacts({ shipment }: { readonly shipment: Shipment }) {
  const { t } = useTranslation('shipments')
  const nameOf = useOperatorNames()
  const sentBy = shipment['sent-by']
  return (
    <FactList
      facts={[
        fact(t('status'), <ShipmentStatusBadge status={shipment.status} />),
        ...contractFacts({ company: t('company'), contract: t('contract') }, shipment),
        fact(t('cutOff'), <DateValue value={shipment['cut-off-date']} />),
        fact(t('coverageStart'), <DateValue value={shipment['coverage-start']} />),
        fact(t('closedAt'), <TimestampValue value={shipment['closed-at']} />),
        fact(t('sentAt'), <TimestampValue value={shipment['sent-at']} />),
        fact(t('sentBy'), <TextValue value={sentBy === null ? null : nameOf(sentBy)} />),
        fact(t('protocol'), <TextValue value={shipment['carrier-protocol']} />),
        fact(
          t('answerUntil'),
          <>
            <DateValue value={shipment['answer-until']} /> {isOverdue(shipment, saoPauloDay()) && <b>{t('overdue')}</b>}
          </>,
        ),
        fact(t('finishedAt'), <TimestampValue value={shipment['finished-at']} />),
      ]}
    />
  )
}
