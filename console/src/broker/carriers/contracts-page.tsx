import { Anchor, Button, Group, Select, Text } from '@mantine/core'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import type { Item } from '@vigencia/client'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { usePagedList } from '../../api/use-paged-list.ts'
import { useOperation } from '../../api/use-operation.ts'
import { Badge } from '../../components/badge.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { DateValue, TextValue, Value } from '../../components/value.tsx'
import { CompanyName } from '../../entities/companies/company-name.tsx'
import { saoPauloDay } from '../../format/date.ts'
import { usePermission } from '../../session/use-permission.ts'
import { CompanySelect } from '../invoices/company-select.tsx'
import { OpenShipment, UnansweredShipments } from '../shipments/unfinished.tsx'
import { CarrierTable } from './carrier-table.tsx'
import { daysBetween } from './days-between.ts'
import type { ContractsSearch } from './search.ts'

const route = getRouteApi('/shell/carriers')

type Contract = Item<'listContracts'>

const columnsOf = (t: TFunction<['carriers', 'terms']>, today: string): readonly Column<Contract>[] => [
  {
    id: 'carrier',
    header: t('carriers:carrier'),
    width: 'minmax(8.5rem, 1fr)',
    cell: (contract) => <TextValue value={contract['carrier-name']} />,
  },
  {
    id: 'contract',
    header: t('carriers:contract'),
    width: '8.5rem',
    cell: (contract) => (
      <Anchor
        size="sm"
        renderRoot={(props) => (
          <Link to="/carriers/contracts/$contractId" params={{ contractId: contract['contract-id'] }} {...props} />
        )}
      >
        <Value>{[contract['contract-number'], contract['sub-contract']].filter(Boolean).join(' / ')}</Value>
      </Anchor>
    ),
  },
  {
    id: 'company',
    header: t('carriers:company'),
    width: 'minmax(9rem, 1.5fr)',
    cell: (contract) => <CompanyName taxId={contract['company-tax-id']} />,
  },
  {
    id: 'nextCutOff',
    header: t('carriers:nextCutOff'),
    width: '11.5rem',
    cell: ({ 'next-cut-off': cutOff, status }) =>
      status === 'ended' ? (
        <Badge color="gray">{t('terms:contractStatus.ended')}</Badge>
      ) : cutOff === null ? (
        <Text span size="sm" c="dimmed">
          {t('carriers:noCutOff')}
        </Text>
      ) : (
        <CutOff date={cutOff['cut-off-date']} today={today} />
      ),
  },
  {
    id: 'open',
    header: t('carriers:openShipment'),
    width: '12.5rem',
    cell: (contract) => <OpenShipment contractId={contract['contract-id']} />,
  },
  {
    id: 'sent',
    header: t('carriers:withoutAnswer'),
    width: '15rem',
    cell: (contract) => <UnansweredShipments contractId={contract['contract-id']} />,
  },
]

/** A cut-off day, and how far it is. */
function CutOff({ date, today }: { readonly date: string; readonly today: string }) {
  const { t } = useTranslation('carriers')
  const days = daysBetween(today, date)
  return (
    <>
      <DateValue value={date} />{' '}
      <Text span size="xs" fw={days <= 2 ? 700 : 400}>
        {days === 0 ? t('today') : t('inDays', { count: days })}
      </Text>
    </>
  )
}

/** The contracts with carriers, and what is known of the carriers. */
export function ContractsPage() {
  const { t } = useTranslation(['carriers', 'terms'])
  const search = route.useSearch()
  const navigate = useNavigate()
  const mayWrite = usePermission('createContract')
  const carriers = useOperation('listCarriers')
  const list = usePagedList('listContracts', search)
  const change = (part: { readonly [Name in keyof ContractsSearch]: string | null }) => {
    const next = Object.entries({ ...search, ...part }).filter(([, value]) => value !== null)
    void navigate({ to: '/carriers', search: Object.fromEntries(next) as ContractsSearch, replace: true })
  }
  return (
    <>
      <PageHeader title={t('carriers:title')}>
        <Button variant="default" renderRoot={(props) => <Link to="/carriers/calendar" {...props} />}>
          {t('carriers:calendar')}
        </Button>
        <Button variant="default" renderRoot={(props) => <Link to="/carriers/layouts" {...props} />}>
          {t('carriers:layouts')}
        </Button>
        {mayWrite && (
          <Button renderRoot={(props) => <Link to="/carriers/contracts/new" {...props} />}>
            {t('carriers:create')}
          </Button>
        )}
      </PageHeader>
      <Group mb="md" align="flex-end">
        <CompanySelect
          label={t('carriers:company')}
          value={search['company-tax-id'] ?? null}
          onChange={(taxId) => change({ 'company-tax-id': taxId })}
        />
        <Select
          label={t('carriers:carrier')}
          placeholder={t('carriers:anyCarrier')}
          searchable
          clearable
          clearButtonProps={{ 'aria-label': t('carriers:clearCarrier') }}
          attributes={{ option: { translate: 'no' } }}
          value={search['carrier-name'] ?? null}
          onChange={(name) => change({ 'carrier-name': name })}
          data={(carriers.data?.result ?? []).map(({ name }) => name)}
        />
      </Group>
      <DataTable
        label={t('carriers:contracts')}
        columns={columnsOf(t, saoPauloDay())}
        list={list}
        idOf={(contract) => contract['contract-id']}
        empty={Object.keys(search).length === 0 ? t('carriers:empty') : t('carriers:noneFound')}
      />
      <CarrierTable carriers={carriers} />
    </>
  )
}
