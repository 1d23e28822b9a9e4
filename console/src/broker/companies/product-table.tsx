import { Box, Table, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { TextValue, Value } from '../../components/value.tsx'
import { type Company, isProductType } from './product-values.ts'

/** The products of a company and their rules. */
export function ProductTable({ products }: { readonly products: Company['products'] }) {
  const { t } = useTranslation(['companies', 'terms'])
  if (products.length === 0) return <Text size="sm">{t('companies:noProducts')}</Text>
  return (
    <Box style={{ overflowX: 'auto' }} tabIndex={0} role="region" aria-label={t('companies:products')}>
      <Table striped withTableBorder verticalSpacing="xs" fz="sm" miw="56rem">
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{t('companies:product')}</Table.Th>
            <Table.Th scope="col">{t('companies:carrier')}</Table.Th>
            <Table.Th scope="col">{t('companies:type')}</Table.Th>
            <Table.Th scope="col">{t('companies:startOptions')}</Table.Th>
            <Table.Th scope="col">{t('companies:dependentTypes')}</Table.Th>
            <Table.Th scope="col">{t('companies:billingDay')}</Table.Th>
            <Table.Th scope="col">{t('companies:cutOffDay')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {products.map((product) => (
            <Table.Tr key={product['product-id']} style={{ verticalAlign: 'top' }}>
              <Table.Th scope="row" fw={600}>
                <Value>{product['product-name']}</Value>
              </Table.Th>
              <Table.Td>
                <TextValue value={product['carrier-name']} />
              </Table.Td>
              <Table.Td>
                <ProductTypeText value={product['product-type']} />
              </Table.Td>
              <Table.Td>
                {product['allowed-start-options'].map((option) => (
                  <div key={option}>{t(`terms:startOption.${option}`)}</div>
                ))}
                {product['allowed-start-options'].length === 0 && t('companies:none')}
              </Table.Td>
              <Table.Td maw="20rem">
                {product['allowed-dependent-types'].map((type) => t(`terms:dependentType.${type}`)).join(', ') ||
                  t('companies:noDependents')}
              </Table.Td>
              <Table.Td>
                <DayText day={product['billing-day']} absent={t('companies:noBillingDay')} />
              </Table.Td>
              <Table.Td>
                <DayText day={product['cut-off-day']} absent={t('companies:noCutOffDay')} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Box>
  )
}

/** The type of a product in words. */
export function ProductTypeText({ value }: { readonly value: string }) {
  const { t } = useTranslation('terms')
  return isProductType(value) ? t(`productType.${value}`) : <Value>{value}</Value>
}

function DayText({ day, absent }: { readonly day: number | null; readonly absent: string }) {
  return day === null ? absent : <Value>{day}</Value>
}
