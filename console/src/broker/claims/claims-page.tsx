import { Box } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { CLAIM_STATUSES } from '../../../../src/kernel/broker-enums.ts'
import { useOperation } from '../../api/use-operation.ts'
import { Choice } from '../../components/choice.tsx'
import { FactList, fact } from '../../components/fact-list.tsx'
import { TextLink } from '../../components/link.tsx'
import { MoneyValue, Value } from '../../components/value.tsx'
import { contractOption, useContracts } from '../../entities/contracts/contract-options.ts'
import { contractNumber } from '../../format/contract-number.ts'
import { saoPauloDay } from '../../format/date.ts'
import { formatMonth } from '../../format/month.ts'
import { column, date, money, side, text } from '../../lists/columns.tsx'
import { ChoiceFilter, CompanyFilter, Filters, MonthFilter, SearchFilter, useFilters } from '../../lists/filters.tsx'
import { listPage } from '../../lists/list-page.tsx'
import { useTotals } from '../../lists/totals.tsx'
import { openAmountOf } from './claim.ts'
import { ClaimStatusBadge } from './status-badge.tsx'

const List = listPage('listClaims')

/** The claims of all contracts, with what was claimed, credited and is to be credited. */
export function ClaimsPage() {
  const { t } = useTranslation(['claims', 'terms'])
  return (
    <List
      title={t('claims:title')}
      filters={<Above />}
      columns={[
        column(t('claims:claim'), 'minmax(13rem, 1fr)', (claim) => (
          <TextLink to="/claims/$claimId" params={{ claimId: claim['claim-id'] }}>
            <Value>{`${claim['carrier-name']} · ${contractNumber(claim)}`}</Value>
          </TextLink>
        )),
        text(t('claims:company'), 'company-name'),
        text(t('claims:month'), (claim) => formatMonth(claim['reference-month']), '6.75rem'),
        side(t('claims:status'), '7rem', ({ status }) => <ClaimStatusBadge status={status} />),
        money(t('claims:total'), 'total', '7.25rem'),
        money(t('claims:credited'), 'credited-total', '7.25rem'),
        money(t('claims:open'), openAmountOf, '7.25rem'),
        date(t('claims:sentAt'), ({ 'sent-at': at }) => (at === null ? null : saoPauloDay(new Date(at)))),
        text(t('claims:protocol'), 'carrier-protocol', 'minmax(10.5rem, 1fr)'),
      ]}
      idOf={(claim) => claim['claim-id']}
      empty={t('claims:empty')}
    />
  )
}

function Above() {
  const { t } = useTranslation(['claims', 'terms'])
  const { search, change } = useFilters()
  const company = search['company-tax-id']
  const carriers = useOperation('listCarriers').data?.result ?? []
  const contracts = useContracts(company)
  const totals = useTotals('listClaims')?.totals
  const any = t('claims:any')
  return (
    <>
      <Filters>
        <SearchFilter label={t('claims:search')} />
        <CompanyFilter label={t('claims:company')} resets={['contract-id']} />
        {company === undefined ? (
          <ChoiceFilter
            name="carrier-id"
            label={t('claims:carrier')}
            any={any}
            isData
            data={carriers.map((one) => ({ value: one['carrier-id'], label: one.name }))}
          />
        ) : (
          <Choice
            label={t('claims:contract')}
            any={any}
            isData
            value={search['contract-id']}
            onChange={(id) => change({ 'contract-id': id, 'carrier-id': undefined })}
            data={contracts.map(contractOption)}
          />
        )}
        <MonthFilter
          label={t('claims:month')}
          placeholder={t('claims:monthPlaceholder')}
          invalid={t('claims:invalidMonth')}
        />
        <ChoiceFilter
          name="status"
          label={t('claims:status')}
          any={any}
          data={CLAIM_STATUSES.map((value) => ({ value, label: t(`terms:claimStatus.${value}`) }))}
        />
      </Filters>
      {totals !== undefined && (
        <Box component="section" aria-label={t('claims:totals')} mb="sm">
          <FactList
            facts={[
              fact(t('claims:total'), <MoneyValue value={totals.total} />),
              fact(t('claims:credited'), <MoneyValue value={totals['credited-total']} />),
              fact(t('claims:open'), <MoneyValue value={totals['open-total']} />),
            ]}
          />
        </Box>
      )}
    </>
  )
}
