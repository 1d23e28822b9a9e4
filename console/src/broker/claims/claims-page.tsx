import { Box, Button, Group } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { CLAIM_STATUSES } from '../../../../src/kernel/operator-enums.ts'
import { operationQuery, useOperation } from '../../api/use-operation.ts'
import { usePagedList } from '../../api/use-paged-list.ts'
import { Choice } from '../../components/choice.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { FactList } from '../../components/fact-list.tsx'
import { TextLink } from '../../components/link.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { MoneyValue, Value } from '../../components/value.tsx'
import { saoPauloDay } from '../../format/date.ts'
import { formatMonth, parseMonth } from '../../format/month.ts'
import { CompanySelect } from '../invoices/company-select.tsx'
import { contractNumber } from '../../format/contract-number.ts'
import { column, text, money, date } from '../../lists/columns.tsx'
import { type ListedClaim, openAmountOf } from './claim.ts'
import type { ClaimsSearch } from './search.ts'
import { ClaimStatusBadge } from './status-badge.tsx'

const route = getRouteApi('/shell/claims')

const columnsOf = (t: TFunction<'claims'>): readonly Column<ListedClaim>[] => [
  column(t('claim'), 'minmax(13rem, 1fr)', (claim) => (
    <TextLink to="/claims/$claimId" params={{ claimId: claim['claim-id'] }}>
      <Value>{`${claim['carrier-name']} · ${contractNumber(claim)}`}</Value>
    </TextLink>
  )),
  text(t('company'), 'company-name'),
  text(t('month'), (claim) => formatMonth(claim['reference-month']), '6.75rem'),
  column(t('status'), '7rem', ({ status }) => <ClaimStatusBadge status={status} />),
  money(t('total'), 'total', '7.25rem'),
  money(t('credited'), 'credited-total', '7.25rem'),
  money(t('open'), (claim) => openAmountOf(claim), '7.25rem'),
  date(t('sentAt'), ({ 'sent-at': sentAt }) => (sentAt === null ? null : saoPauloDay(new Date(sentAt)))),
  text(t('protocol'), 'carrier-protocol', 'minmax(10.5rem, 1fr)'),
]

/** The claims of all contracts, with what was claimed, credited and is to be credited. */
export function ClaimsPage() {
  const { t } = useTranslation(['claims', 'terms', 'states'])
  const search = route.useSearch()
  const list = usePagedList('listClaims', search)
  return (
    <>
      <PageHeader title={t('claims:title')} />
      <Filters search={search} />
      <Totals search={search} />
      <DataTable
        label={t('claims:title')}
        columns={columnsOf(t)}
        list={list}
        idOf={(claim) => claim['claim-id']}
        empty={t('claims:empty')}
      />
    </>
  )
}

/** The totals of all claims that the filters select. */
function Totals({ search }: { readonly search: ClaimsSearch }) {
  const { t } = useTranslation('claims')
  const { data } = useQuery({
    ...operationQuery('listClaims', { query: { ...search, 'items-per-page': 1 } }),
    placeholderData: keepPreviousData,
  })
  if (data === undefined) return null
  return (
    <Box component="section" aria-label={t('totals')} mb="sm">
      <FactList
        facts={[
          { key: 'total', label: t('total'), value: <MoneyValue value={data.totals.total} /> },
          { key: 'credited', label: t('credited'), value: <MoneyValue value={data.totals['credited-total']} /> },
          { key: 'open', label: t('open'), value: <MoneyValue value={data.totals['open-total']} /> },
        ]}
      />
    </Box>
  )
}

function Filters({ search }: { readonly search: ClaimsSearch }) {
  const { t } = useTranslation(['claims', 'terms', 'states'])
  const navigate = route.useNavigate()
  const company = search['company-tax-id']
  const carriers = useOperation('listCarriers').data?.result ?? []
  const contracts = useOperation(
    'listContracts',
    { query: { 'company-tax-id': company ?? '', 'items-per-page': 500 } },
    { enabled: company !== undefined },
  ).data?.result
  const month = search['reference-month']
  const change = (part: { readonly [Name in keyof ClaimsSearch]: ClaimsSearch[Name] | undefined }) => {
    const next = Object.entries({ ...search, ...part }).filter(([, value]) => value !== undefined)
    void navigate({ search: Object.fromEntries(next) as ClaimsSearch, replace: true })
  }
  return (
    <Group mb="md" align="flex-end" gap="sm" role="search" aria-label={t('states:filters')}>
      <CompanySelect
        label={t('claims:company')}
        value={company ?? null}
        onChange={(taxId) => change({ 'company-tax-id': taxId ?? undefined, 'contract-id': undefined })}
      />
      {company === undefined ? (
        <Choice
          label={t('claims:carrier')}
          any={t('claims:any')}
          isData
          value={search['carrier-id']}
          onChange={(id) => change({ 'carrier-id': id })}
          data={carriers.map((one) => ({ value: one['carrier-id'], label: one.name }))}
        />
      ) : (
        <Choice
          label={t('claims:contract')}
          any={t('claims:any')}
          isData
          value={search['contract-id']}
          onChange={(id) => change({ 'contract-id': id, 'carrier-id': undefined })}
          data={(contracts ?? []).map((one) => ({
            value: one['contract-id'],
            label: `${one['carrier-name']} · ${contractNumber(one)}`,
          }))}
        />
      )}
      <SearchField
        label={t('claims:month')}
        placeholder={t('claims:monthPlaceholder')}
        value={month === undefined ? undefined : formatMonth(month)}
        errorOf={(text) => (parseMonth(text) === null ? t('claims:invalidMonth') : null)}
        onChange={(text) => change({ 'reference-month': parseMonth(text ?? '')?.start.slice(0, 7) })}
      />
      <Choice
        label={t('claims:status')}
        any={t('claims:any')}
        value={search.status}
        onChange={(status) => change({ status })}
        data={CLAIM_STATUSES.map((value) => ({ value, label: t(`terms:claimStatus.${value}`) }))}
      />
      {Object.keys(search).length > 0 && (
        <Button variant="default" onClick={() => void navigate({ search: {} })}>
          {t('states:clearFilters')}
        </Button>
      )}
    </Group>
  )
}
