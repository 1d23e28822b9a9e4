import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useOperation } from '../../api/use-operation.ts'
import { Copied } from '../../components/copied.tsx'
import { TextLink } from '../../components/link.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { CnpjValue, DateValue, TextValue, TimestampValue, Value } from '../../components/value.tsx'
import { useIntakeFacts } from '../../entities/requests/intake-facts.tsx'
import { usePermission } from '../../session/use-permission.ts'
import type { Movement } from './comparison.ts'
import { Section } from './section.tsx'

export function Fact(props: { readonly label: ReactNode; readonly children: ReactNode; readonly className?: string }) {
  const { label, children, className } = props
  return (
    <div className={className}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}

/** What the movement is, and the objects that it belongs to. */
export function Facts({ movement }: { readonly movement: Movement }) {
  const { t } = useTranslation(['movement', 'terms', 'states'])
  const { 'start-date': start, 'end-date': end, 'due-date': due, 'scheduled-reason': scheduled } = movement
  const exclusionReason = movement['exclusion-reason']
  const destination = movement['destination-company-tax-id']
  const productType = movement['product-type']
  const intake = useIntakeFacts(movement)
  const mayReadClients = usePermission('listClients')
  return (
    <Section title={t('movement:facts')}>
      <dl className="facts">
        <Fact label={t('movement:status')}>
          <StatusBadge status={movement.status} />
        </Fact>
        {movement.reason !== null && (
          <Fact label={t('movement:reason')}>
            <TextValue value={movement.reason} />
          </Fact>
        )}
        {due !== null && (
          <Fact label={t('movement:dueDate')}>
            <DateValue value={due} />
          </Fact>
        )}
        <Fact label={t('movement:product')}>
          <Value>{movement['product-name']}</Value>
        </Fact>
        <Fact label={t('movement:carrier')}>
          <Value>{movement['carrier-name']}</Value>
          {productType in productTypes && <> · {t(`terms:productType.${productType as 'other'}`)}</>}
        </Fact>
        <Card movement={movement} />
        <Fact label={t('movement:company')}>
          <Company taxId={movement['company-tax-id']} />
        </Fact>
        {destination !== null && (
          <Fact label={t('movement:destinationCompany')}>
            <Company taxId={destination} />
          </Fact>
        )}
        {start !== null && (
          <Fact label={t('movement:startDate')}>
            <DateValue value={start} />
          </Fact>
        )}
        {end !== null && (
          <Fact label={t('movement:endDate')}>
            <DateValue value={end} />
          </Fact>
        )}
        {exclusionReason !== null && (
          <Fact label={t('movement:exclusionReason')}>{t(`terms:exclusionReason.${exclusionReason}`)}</Fact>
        )}
        {movement['extension-plan'] === true && movement['exclusion-details']?.option == null && (
          <Fact label={t('movement:extensionPlan')}>{t('states:yes')}</Fact>
        )}
        {scheduled !== null && (
          <Fact label={t('movement:scheduledFor')}>
            <DateValue value={movement['scheduled-action-date']} /> · {t(`terms:scheduledReason.${scheduled}`)}
          </Fact>
        )}
        <HandOver movement={movement} />
        <Fact label={t('movement:createdAt')}>
          <TimestampValue value={movement['created-at']} />
        </Fact>
        {intake.map(([label, value]) => (
          <Fact key={label} label={label}>
            {value}
          </Fact>
        ))}
        <Fact label={t('movement:request')} className="no-print">
          <TextLink to="/requests/$requestId" params={{ requestId: movement['request-id'] }}>
            {t('movement:openRequest')}
          </TextLink>
        </Fact>
        {movement.reference !== null && (
          <Fact label={t('movement:reference')}>
            <Value>{movement.reference}</Value>
          </Fact>
        )}
        {mayReadClients && (
          <Fact label={t('movement:client')}>
            <TextLink to="/clients/$clientId" params={{ clientId: movement['client-id'] }} translate="no">
              {movement['client-id']}
            </TextLink>
          </Fact>
        )}
      </dl>
    </Section>
  )
}

function Card({ movement }: { readonly movement: Movement }) {
  const { t } = useTranslation('movement')
  const own = movement.family.find(({ benefit }) => benefit['benefit-id'] === movement['benefit-id'])
  const card = own?.benefit['card-number'] ?? null
  if (card === null) return null
  return (
    <Fact label={t('cardNumber')}>
      <Copied text={card} name={t('cardNumber')}>
        <Value>{card}</Value>
      </Copied>
    </Fact>
  )
}

/** When the carrier gets the movement, or got it. */
function HandOver({ movement }: { readonly movement: Movement }) {
  const { t } = useTranslation('movement')
  const { shipment, 'carrier-hand-over': handOver } = movement
  return (
    <>
      {shipment !== null && (
        <Fact label={t('shipment')}>
          <TextLink to="/carriers/shipments/$shipmentId" params={{ shipmentId: shipment['shipment-id'] }}>
            <Value>{shipment.number}</Value>
          </TextLink>
        </Fact>
      )}
      {handOver?.['cut-off-date'] != null && (
        <Fact label={t('cutOff')}>
          <DateValue value={handOver['cut-off-date']} />
        </Fact>
      )}
      {handOver?.['expected-start-date'] != null && (
        <Fact label={t('expectedStart')}>
          <DateValue value={handOver['expected-start-date']} />
        </Fact>
      )}
      {handOver?.['sent-at'] != null && (
        <Fact label={t('sentAt')}>
          <TimestampValue value={handOver['sent-at']} />
        </Fact>
      )}
      {movement['carrier-protocol'] !== null && (
        <Fact label={t('protocol')}>
          <Copied text={movement['carrier-protocol']} name={t('protocol')}>
            <Value>{movement['carrier-protocol']}</Value>
          </Copied>
        </Fact>
      )}
    </>
  )
}

const productTypes: Readonly<Record<string, true>> = {
  'health-insurance': true,
  'dental-insurance': true,
  'life-insurance': true,
  pharmacy: true,
  fitness: true,
  'mental-health': true,
  'private-pension': true,
  other: true,
}

function Company({ taxId }: { readonly taxId: string }) {
  const company = useOperation('readAnyCompany', { path: [taxId] })
  return (
    <TextLink to="/companies/$taxId" params={{ taxId }} translate="no">
      {company.data !== undefined && <>{company.data.result.name} · </>}
      <CnpjValue value={taxId} />
    </TextLink>
  )
}
