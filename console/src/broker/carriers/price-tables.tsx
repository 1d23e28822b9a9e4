import { Fragment } from 'react'
import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Item } from '@vigencia/client'
import { useOperation } from '../../api/use-operation.ts'
import { PlainTable, plain } from '../../components/plain-table.tsx'
import { QueryView } from '../../components/state-view.tsx'
import { TextValue, Value } from '../../components/value.tsx'
import { date } from '../../lists/columns.tsx'
import { formatMoney } from '../../format/number.ts'

type PriceTable = Item<'listPriceTables'>

/** The price tables of a contract. */
export function PriceTables({ contractId }: { readonly contractId: string }) {
  const { t } = useTranslation(['carriers', 'charges'])
  const query = useOperation('listPriceTables', { query: { 'contract-id': contractId, 'items-per-page': 500 } })
  return (
    <QueryView query={query}>
      {({ result }) =>
        result.length === 0 ? (
          <Text size="sm">{t('carriers:noPriceTables')}</Text>
        ) : (
          <PlainTable<PriceTable>
            label={t('carriers:priceTables')}
            miw="44rem"
            items={result}
            idOf={(table) => table['price-table-id']}
            columns={[
              plain(t('carriers:planCode'), ({ 'carrier-plan-code': code }) =>
                code === null ? t('carriers:otherPlans') : <TextValue value={code} />,
              ),
              date(t('carriers:validFrom'), 'valid-from'),
              plain(t('carriers:prices'), ({ prices }) =>
                prices.map(({ category, amount }, index) => (
                  <Fragment key={category}>
                    {index > 0 && ' · '}
                    <span className="nowrap">
                      {category === 'person' || category === 'primary' || category === 'dependent' ? (
                        t(`charges:category.${category}`)
                      ) : (
                        <Value>{category}</Value>
                      )}{' '}
                      <Value>{formatMoney(amount)}</Value>
                    </span>
                  </Fragment>
                )),
              ),
            ]}
          />
        )
      }
    </QueryView>
  )
}
