import { Stack, Text } from '@mantine/core'
import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import { useOperation } from '../../api/use-operation.ts'
import { DialogButton } from '../../components/dialog.tsx'
import { ButtonLink, TextLink } from '../../components/link.tsx'
import { PlainTable, plain, topAligned } from '../../components/plain-table.tsx'
import { QueryView } from '../../components/state-view.tsx'
import { DateValue, TextValue, Value } from '../../components/value.tsx'
import { formatMoney } from '../../format/number.ts'
import { usePermission } from '../../session/use-permission.ts'
import { AdjustDialog } from './adjust-dialog.tsx'
import { categoryName } from './category-name.ts'
import type { PriceTable } from './price-values.ts'

/** The price tables of a contract. */
export function PriceTables({ contractId }: { readonly contractId: string }) {
  const { t } = useTranslation(['prices', 'charges'])
  const mayWrite = usePermission('putPriceTable')
  const query = useOperation('listPriceTables', { query: { 'contract-id': contractId, 'items-per-page': 500 } })
  const add = mayWrite && (
    <ButtonLink to="/carriers/contracts/$contractId/prices/new" params={{ contractId }} variant="default" size="sm">
      {t('prices:add')}
    </ButtonLink>
  )
  return (
    <QueryView query={query}>
      {({ result }) =>
        result.length === 0 ? (
          <Stack gap="sm" align="flex-start">
            <Text size="sm">{t(mayWrite ? 'prices:noneNext' : 'prices:noneAsk')}</Text>
            {add}
          </Stack>
        ) : (
          <Stack gap="sm" align="flex-start">
            <PlainTable<PriceTable>
              label={t('prices:tables')}
              miw="44rem"
              items={result}
              idOf={(table) => table['price-table-id']}
              rowOf={topAligned}
              columns={[
                plain(t('prices:plan'), ({ 'carrier-plan-code': code }) =>
                  code === null ? t('prices:otherPlans') : <TextValue value={code} />,
                ),
                plain(
                  t('prices:validFrom'),
                  (table) =>
                    mayWrite ? (
                      <TextLink
                        to="/carriers/contracts/$contractId/prices/$priceTableId"
                        params={{ contractId, priceTableId: table['price-table-id'] }}
                      >
                        <DateValue value={table['valid-from']} />
                      </TextLink>
                    ) : (
                      <DateValue value={table['valid-from']} />
                    ),
                  { className: 'nowrap' },
                ),
                plain(t('prices:ofMonth'), (table) => <Prices table={table} />),
                mayWrite &&
                  plain(<span className="visually-hidden">{t('prices:actions')}</span>, (table) => (
                    <DialogButton
                      variant="subtle"
                      size="compact-sm"
                      aria-label={t('prices:adjustOf', { plan: table['carrier-plan-code'] ?? t('prices:otherPlans') })}
                      dialog={(close) => <AdjustDialog table={table} onClose={close} />}
                    >
                      {t('prices:adjust')}
                    </DialogButton>
                  )),
              ]}
            />
            {add}
          </Stack>
        )
      }
    </QueryView>
  )
}

function Prices({ table: { prices, 'price-warnings': warnings } }: { readonly table: PriceTable }) {
  const { t } = useTranslation(['prices', 'charges'])
  return (
    <>
      {prices.map(({ category, amount }, index) => (
        <Fragment key={category}>
          {index > 0 && ' · '}
          <span className="nowrap">
            {categoryName(t, category)} <Value>{formatMoney(amount)}</Value>
          </span>
        </Fragment>
      ))}
      {warnings.map((warning) => (
        <Text key={warning} size="sm" c="orange.8">
          {t(`prices:warnings.${warning}`)}
        </Text>
      ))}
    </>
  )
}
