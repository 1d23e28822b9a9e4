import { useTranslation } from 'react-i18next'
import { SHIPMENT_STATUSES } from '../../../../src/kernel/broker-enums.ts'
import { TextLink } from '../../components/link.tsx'
import { Value } from '../../components/value.tsx'
import { CompanyLabel } from '../../entities/companies/company-label.tsx'
import { ShipmentStatusBadge } from '../../entities/shipments/shipment-status.tsx'
import { contractNumber } from '../../format/contract-number.ts'
import { column, date, text, timestamp } from '../../lists/columns.tsx'
import { ChoiceFilter, CompanyFilter, Filters, SearchFilter } from '../../lists/filters.tsx'
import { listPage } from '../../lists/list-page.tsx'

const List = listPage('listShipments')

/** The shipments of all contracts, the latest first. */
export function ShipmentsPage() {
  const { t } = useTranslation(['shipments', 'terms', 'states'])
  return (
    <List
      title={t('shipments:title')}
      filters={
        <Filters>
          <SearchFilter label={t('shipments:search')} />
          <CompanyFilter label={t('shipments:company')} />
          <ChoiceFilter
            name="status"
            label={t('shipments:status')}
            any={t('shipments:all')}
            data={SHIPMENT_STATUSES.map((value) => ({ value, label: t(`terms:shipmentStatus.${value}`) }))}
          />
        </Filters>
      }
      columns={[
        column(t('shipments:number'), '5.5rem', (one) => (
          <TextLink to="/carriers/shipments/$shipmentId" params={{ shipmentId: one['shipment-id'] }}>
            <Value>{one.number}</Value>
          </TextLink>
        )),
        column(t('shipments:contract'), 'minmax(13rem, 1fr)', (one) => (
          <TextLink to="/carriers/contracts/$contractId" params={{ contractId: one['contract-id'] }}>
            <Value>{`${one['carrier-name']} · ${contractNumber(one)}`}</Value>
          </TextLink>
        )),
        column(t('shipments:company'), 'minmax(12rem, 1.5fr)', (one) => (
          <CompanyLabel taxId={one['company-tax-id']} name={one['company-name']} />
        )),
        column(t('shipments:status'), '8.5rem', (one) => <ShipmentStatusBadge status={one.status} />),
        date(t('shipments:cutOff'), 'cut-off-date', '7.5rem'),
        timestamp(t('shipments:sentAt'), 'sent-at', '9rem'),
        text(t('shipments:protocolColumn'), 'carrier-protocol', 'minmax(7rem, 1fr)'),
      ]}
      idOf={(one) => one['shipment-id']}
      empty={t('shipments:noneFound')}
    />
  )
}
