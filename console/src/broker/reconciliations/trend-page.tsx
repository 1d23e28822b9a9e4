import { Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { ResponseBody } from '@vigencia/client'
import { useTranslation } from 'react-i18next'
import { operationQuery, useOperation } from '../../api/use-operation.ts'
import { Choice } from '../../components/choice.tsx'
import { TextLink } from '../../components/link.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Empty, Forbidden, QueryView } from '../../components/state-view.tsx'
import { Value } from '../../components/value.tsx'
import { TrendTable } from '../../entities/reconciliations/trend-table.tsx'
import { contractNumber } from '../../format/contract-number.ts'
import { formatMonth } from '../../format/month.ts'
import { ChoiceFilter, CompanyFilter, Filters, useFilters } from '../../lists/filters.tsx'
import { present } from '../../lists/search.ts'
import { usePermission } from '../../session/use-permission.ts'
import { TREND_GROUPS, TREND_RANGES } from './search.ts'

type Found = ResponseBody<'readDiscrepancyTrend'>['result'][number]

const route = getRouteApi('/shell/reconciliations/trend')

/** What was found in invoices month by month, and what became of it. */
export function TrendPage() {
  const { t } = useTranslation('reconciliations')
  const mayRead = usePermission('readDiscrepancyTrend')
  const { months = TREND_RANGES[0], ...filter } = route.useSearch()
  const query = useQuery({
    ...operationQuery('readDiscrepancyTrend', { query: { ...filter, 'month-count': months } }),
    placeholderData: keepPreviousData,
    enabled: mayRead,
  })
  if (!mayRead) return <Forbidden />
  return (
    <>
      <PageHeader title={t('trend.title')} />
      <Text size="sm" c="dimmed" mb="sm" maw="60rem">
        {t('trend.meaning')} {t('trend.columns')}
      </Text>
      <TrendFilters />
      <QueryView query={query}>
        {({ result }) => (result.length === 0 ? <Empty>{t('trend.none')}</Empty> : <Trend items={result} />)}
      </QueryView>
    </>
  )
}

function TrendFilters() {
  const { t } = useTranslation('reconciliations')
  const { search, change } = useFilters()
  const { 'company-tax-id': taxId, months = TREND_RANGES[0] } = route.useSearch()
  const ofCompany = { 'company-tax-id': taxId ?? '', 'items-per-page': 100 }
  const contracts = useOperation('listContracts', { query: ofCompany }, { enabled: taxId !== undefined })
  return (
    <Filters>
      <CompanyFilter label={t('company')} resets={['contract-id']} />
      {taxId !== undefined && (
        <ChoiceFilter
          name="contract-id"
          label={t('contract')}
          any={t('any')}
          isData
          data={(contracts.data?.result ?? []).map((one) => ({
            value: one['contract-id'],
            label: `${one['carrier-name']} · ${contractNumber(one)}`,
          }))}
        />
      )}
      <Choice
        label={t('trend.group')}
        value={search['group-by'] ?? TREND_GROUPS[0]}
        onChange={(value) => change({ 'group-by': value === TREND_GROUPS[0] ? undefined : value })}
        data={TREND_GROUPS.map((value) => ({ value, label: t(`trend.groupOf.${value}`) }))}
      />
      <Choice
        label={t('trend.range')}
        value={String(months)}
        onChange={(value) => change({ months: value === String(TREND_RANGES[0]) ? undefined : Number(value) })}
        data={TREND_RANGES.map((count) => ({ value: String(count), label: t('trend.months', { count }) }))}
      />
    </Filters>
  )
}

function Trend({ items }: { readonly items: readonly Found[] }) {
  const { t } = useTranslation(['reconciliations', 'terms'])
  const { 'group-by': group = TREND_GROUPS[0], 'company-tax-id': taxId, 'contract-id': contractId } = route.useSearch()
  return (
    <TrendTable
      items={items}
      group={t(`reconciliations:trend.groupOf.${group}`)}
      wordsOf={({ key, name }) =>
        group === 'class' ? t(`terms:discrepancyClass.${key as 'amount-differs'}`) : <Value>{name ?? key}</Value>
      }
      idOf={(item) => `${item['reference-month']} ${item.key}`}
      monthOf={(item) => (
        <TextLink
          to="/reconciliations"
          search={present({
            'company-tax-id': taxId,
            'contract-id': contractId,
            kind: 'invoice' as const,
            'reference-month': item['reference-month'],
          })}
        >
          <Value>{formatMonth(item['reference-month'])}</Value>
        </TextLink>
      )}
    />
  )
}
