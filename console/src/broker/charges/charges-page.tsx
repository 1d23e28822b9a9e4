import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { operationQuery, useOperation } from '../../api/use-operation.ts'
import { ButtonLink, TextLink } from '../../components/link.tsx'
import { ObjectPage } from '../../components/object-page.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { TextValue, Value } from '../../components/value.tsx'
import { WorkbookButton } from '../../components/workbook-button.tsx'
import { type Charge, idOf } from '../../entities/charges/charge.ts'
import { VarianceOfMonth } from './variance-of-month.tsx'
import { ChargeFilters } from '../../entities/charges/charge-filters.tsx'
import { ChargeTotals } from '../../entities/charges/charge-totals.tsx'
import { chargeColumns, nameOfCharge } from '../../entities/charges/columns.tsx'
import { contractNumber } from '../../format/contract-number.ts'
import { formatMonth } from '../../format/month.ts'
import { listTable } from '../../lists/list-page.tsx'

const route = getRouteApi('/shell/charges/$contractId/$month')
const Table = listTable('listCharges')

/** What the invoice of a month charges, person by person. */
export function ChargesPage() {
  const { t } = useTranslation(['charges'])
  const { contractId, month } = route.useParams()
  const search = route.useSearch()
  const query = { ...search, 'reference-month': month }
  const contract = useOperation('readContract', { path: [contractId] })
  const totals = useQuery({
    ...operationQuery('listCharges', { path: [contractId], query: { ...query, 'items-per-page': 1 } }),
    placeholderData: keepPreviousData,
  })
  return (
    <ObjectPage query={contract} title={t('charges:titleOfCompany', { month: formatMonth(month) })}>
      {({ result }) => (
        <>
          <PageHeader
            title={
              <Value>
                {t('charges:title', {
                  month: formatMonth(month),
                  carrier: result['carrier-name'],
                  contract: contractNumber(result),
                })}
              </Value>
            }
          >
            <ButtonLink
              to="/forecasts/$contractId"
              params={{ contractId }}
              search={{ 'reference-month': month }}
              variant="default"
            >
              {t('charges:forecast')}
            </ButtonLink>
            <WorkbookButton
              fileName={t('charges:fileName', { month })}
              read={(options) => api.operations.download('listCharges', { path: [contractId], query, options })}
            >
              {t('charges:export')}
            </WorkbookButton>
          </PageHeader>
          <ChargeFilters month={month} hasNames />
          {totals.data !== undefined && <ChargeTotals body={totals.data} />}
          {totals.data?.result[0]?.variance != null && <VarianceOfMonth contractId={contractId} month={month} />}
          <Table
            label={t('charges:whyAll')}
            query={query}
            options={{ path: [contractId] }}
            columns={chargeColumns(t, (charge) => (
              <WhyLink t={t} charge={charge} />
            ))}
            idOf={idOf}
            empty={t('charges:none', { month: formatMonth(month) })}
          />
        </>
      )}
    </ObjectPage>
  )
}

function WhyLink({ t, charge }: { readonly t: TFunction<['charges']>; readonly charge: Charge }) {
  const { 'benefit-id': benefitId, 'line-number': line } = charge
  const params = { contractId: charge['contract-id'], month: charge['reference-month'] }
  return (
    <TextLink
      to="/charges/$contractId/$month/why"
      params={params}
      search={benefitId === null ? { 'line-number': line ?? 1 } : { 'benefit-id': benefitId }}
    >
      {nameOfCharge(t, charge)}
      {line != null && (
        <>
          {': '}
          <TextValue value={charge['member-name']} />
        </>
      )}
    </TextLink>
  )
}
