import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Value } from '../../components/value.tsx'
import { ProductTypeText } from '../../components/product-type.tsx'
import type { Company } from './product-values.ts'
import { PlainTable, plain, rowHeader, topAligned } from '../../components/plain-table.tsx'
import { text } from '../../lists/columns.tsx'

/** The products of a company and their rules. */
export function ProductTable({ products }: { readonly products: Company['products'] }) {
  const { t } = useTranslation(['companies', 'terms'])
  if (products.length === 0) return <Text size="sm">{t('companies:noProducts')}</Text>
  return (
    <PlainTable<Company['products'][number]>
      label={t('companies:products')}
      striped
      verticalSpacing="xs"
      miw="56rem"
      items={products}
      idOf={(product) => product['product-id']}
      rowOf={topAligned}
      columns={[
        rowHeader(t('companies:product'), (product) => <Value>{product['product-name']}</Value>, { fw: 600 }),
        text(t('companies:carrier'), 'carrier-name'),
        plain(t('companies:type'), (product) => <ProductTypeText value={product['product-type']} />),
        plain(t('companies:startOptions'), ({ 'allowed-start-options': options }) =>
          options.length === 0
            ? t('companies:none')
            : options.map((option) => <div key={option}>{t(`terms:startOption.${option}`)}</div>),
        ),
        plain(
          t('companies:dependentTypes'),
          (product) =>
            product['allowed-dependent-types'].map((type) => t(`terms:dependentType.${type}`)).join(', ') ||
            t('companies:noDependents'),
          { maw: '20rem' },
        ),
        plain(t('companies:billingDay'), (product) => (
          <DayText day={product['billing-day']} absent={t('companies:noBillingDay')} />
        )),
        plain(t('companies:cutOffDay'), (product) => (
          <DayText day={product['cut-off-day']} absent={t('companies:noCutOffDay')} />
        )),
      ]}
    />
  )
}

function DayText({ day, absent }: { readonly day: number | null; readonly absent: string }) {
  return day === null ? absent : <Value>{day}</Value>
}
