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
        { key: 'status', label: t('status'), value: <ShipmentStatusBadge status={shipment.status} /> },
        ...contractFacts({ company: t('company'), contract: t('contract') }, shipment),
        { key: 'cutOff', label: t('cutOff'), value: <DateValue value={shipment['cut-off-date']} /> },
        { key: 'coverage', label: t('coverageStart'), value: <DateValue value={shipment['coverage-start']} /> },
        { key: 'closedAt', label: t('closedAt'), value: <TimestampValue value={shipment['closed-at']} /> },
        { key: 'sentAt', label: t('sentAt'), value: <TimestampValue value={shipment['sent-at']} /> },
        { key: 'sentBy', label: t('sentBy'), value: <TextValue value={sentBy === null ? null : nameOf(sentBy)} /> },
        { key: 'protocol', label: t('protocol'), value: <TextValue value={shipment['carrier-protocol']} /> },
        fact(
          'answerUntil',
          t('answerUntil'),
          <>
            <DateValue value={shipment['answer-until']} /> {isOverdue(shipment, saoPauloDay()) && <b>{t('overdue')}</b>}
          </>,
        ),
        { key: 'finishedAt', label: t('finishedAt'), value: <TimestampValue value={shipment['finished-at']} /> },
      ]}
    />
  )
}
