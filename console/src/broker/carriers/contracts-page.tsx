import { Group, Select, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useOperation } from '../../api/use-operation.ts'
import { Badge } from '../../components/badge.tsx'
import { TextLink, ButtonLink } from '../../components/link.tsx'
import { DueDate } from '../../components/due-date.tsx'
import { Value } from '../../components/value.tsx'
import { CompanyName } from '../../entities/companies/company-name.tsx'
import { column, labeled, text } from '../../lists/columns.tsx'
import { usePermission } from '../../session/use-permission.ts'
import { OpenShipment, UnansweredShipments } from '../../entities/shipments/unfinished.tsx'
import { CarrierTable } from './carrier-table.tsx'
import { listPage } from '../../lists/list-page.tsx'
import { CompanyFilter, SearchFilter, useFilters } from '../../lists/filters.tsx'

const List = listPage('listContracts')

/** The contracts with carriers, and what is known of the carriers. */
export function ContractsPage() {
  const { t } = useTranslation(['carriers', 'terms'])
  const { search, change } = useFilters()
  const mayWrite = usePermission('createContract')
  const carriers = useOperation('listCarriers')
  return (
    <List
      title={t('carriers:title')}
      actions={
        <>
          <ButtonLink to="/carriers/calendar" variant="default">
            {t('carriers:calendar')}
          </ButtonLink>
          <ButtonLink to="/carriers/shipments" variant="default">
            {t('carriers:shipments')}
          </ButtonLink>
          <ButtonLink to="/carriers/layouts" variant="default">
            {t('carriers:layouts')}
          </ButtonLink>
          {mayWrite && <ButtonLink to="/carriers/contracts/new">{t('carriers:create')}</ButtonLink>}
        </>
      }
      filters={
        <Group mb="md" align="flex-end">
          <SearchFilter label={t('carriers:search')} />
          <CompanyFilter label={t('carriers:company')} />
          <Select
            label={t('carriers:carrier')}
            placeholder={t('carriers:anyCarrier')}
            searchable
            clearable
            clearButtonProps={{ 'aria-label': t('carriers:clearCarrier') }}
            attributes={{ option: { translate: 'no' } }}
            value={search['carrier-name'] ?? null}
            onChange={(name) => change({ 'carrier-name': name ?? undefined })}
            data={(carriers.data?.result ?? []).map(({ name }) => name)}
          />
        </Group>
      }
      label={t('carriers:contracts')}
      columns={[
        text(t('carriers:carrier'), 'carrier-name', 'minmax(11rem, 1fr)'),
        column(t('carriers:contract'), '8.5rem', (contract) => (
          <TextLink to="/carriers/contracts/$contractId" params={{ contractId: contract['contract-id'] }}>
            <Value>{[contract['contract-number'], contract['sub-contract']].filter(Boolean).join(' / ')}</Value>
          </TextLink>
        )),
        column(t('carriers:company'), 'minmax(13rem, 1.5fr)', (contract) => (
          <CompanyName taxId={contract['company-tax-id']} />
        )),
        labeled(t('carriers:nextCutOff'), '11.5rem', ({ 'next-cut-off': cutOff, status }) =>
          status === 'ended' ? (
            <Badge color="gray">{t('terms:contractStatus.ended')}</Badge>
          ) : cutOff === null ? (
            <Text span size="sm" c="dimmed">
              {t('carriers:noCutOff')}
            </Text>
          ) : (
            <DueDate day={cutOff['cut-off-date']} hasDay />
          ),
        ),
        labeled(t('carriers:openShipment'), '12.5rem', (contract) => (
          <OpenShipment contractId={contract['contract-id']} />
        )),
        labeled(t('carriers:withoutAnswer'), '15rem', (contract) => (
          <UnansweredShipments contractId={contract['contract-id']} />
        )),
      ]}
      idOf={(contract) => contract['contract-id']}
      empty={Object.keys(search).length === 0 ? t('carriers:empty') : t('carriers:noneFound')}
    >
      <CarrierTable carriers={carriers} />
    </List>
  )
}
