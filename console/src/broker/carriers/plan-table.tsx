import { Box, Table, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useOperation } from '../../api/use-operation.ts'
import { TextValue, Value } from '../../components/value.tsx'
import type { Contract } from './contract-values.ts'

/** The products of a contract, with what the carrier calls them. */
export function PlanTable({ contract }: { readonly contract: Contract }) {
  const { t } = useTranslation('carriers')
  const company = useOperation('readAnyCompany', { path: [contract['company-tax-id']] })
  if (contract.plans.length === 0) return <Text size="sm">{t('noPlans')}</Text>
  const names = new Map(
    company.data?.result.products.map((product) => [product['product-id'], product['product-name']]),
  )
  return (
    <Box className="plain-table" tabIndex={0} role="region" aria-label={t('plans')}>
      <Table fz="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{t('product')}</Table.Th>
            <Table.Th scope="col">{t('planCode')}</Table.Th>
            <Table.Th scope="col">{t('ansPlanNumber')}</Table.Th>
            <Table.Th scope="col">{t('planVersion')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {contract.plans.map((plan) => (
            <Table.Tr key={plan['product-id']}>
              <Table.Th scope="row" fw={600}>
                {company.data === undefined || names.has(plan['product-id']) ? (
                  <Value>{names.get(plan['product-id'])}</Value>
                ) : (
                  t('unknownProduct')
                )}
              </Table.Th>
              <Table.Td>
                <TextValue value={plan['carrier-plan-code']} />
              </Table.Td>
              <Table.Td>
                <TextValue value={plan['ans-plan-number']} />
              </Table.Td>
              <Table.Td>
                <TextValue value={plan['plan-version']} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Box>
  )
}
