import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useOperation } from '../../api/use-operation.ts'
import { Value } from '../../components/value.tsx'
import type { Contract } from './contract-values.ts'
import { PlainTable, rowHeader } from '../../components/plain-table.tsx'
import { text } from '../../lists/columns.tsx'

type Plan = Contract['plans'][number]

/** The products of a contract, with what the carrier calls them. */
export function PlanTable({ contract }: { readonly contract: Contract }) {
  const { t } = useTranslation('carriers')
  const company = useOperation('readAnyCompany', { path: [contract['company-tax-id']] })
  if (contract.plans.length === 0) return <Text size="sm">{t('noPlans')}</Text>
  const names = new Map(
    company.data?.result.products.map((product) => [product['product-id'], product['product-name']]),
  )
  return (
    <PlainTable<Plan>
      label={t('plans')}
      items={contract.plans}
      idOf={(plan) => plan['product-id']}
      columns={[
        rowHeader(
          t('product'),
          ({ 'product-id': id }) =>
            company.data === undefined || names.has(id) ? <Value>{names.get(id)}</Value> : t('unknownProduct'),
          { fw: 600 },
        ),
        text(t('planCode'), 'carrier-plan-code'),
        text(t('ansPlanNumber'), 'ans-plan-number'),
        text(t('planVersion'), 'plan-version'),
      ]}
    />
  )
}
