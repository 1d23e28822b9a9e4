import { Table, Text } from '@mantine/core'
import type { Result } from '@vigencia/client'
import { useTranslation } from 'react-i18next'
import { Badge } from '../../components/badge.tsx'
import { NumberValue, Value } from '../../components/value.tsx'
import { ProductTypeText } from '../../components/product-type.tsx'
import { PlainTable, plain, rowHeader } from '../../components/plain-table.tsx'
import { text, number } from '../../lists/columns.tsx'

type Lives = Result<'readCompanyHeadcount'>[number]

/** How many primaries and dependents have each product of a company today. */
export function HeadcountTable({ lives }: { readonly lives: readonly Lives[] }) {
  const { t } = useTranslation('companies')
  if (lives.length === 0) return <Text size="sm">{t('noLives')}</Text>
  const sum = (key: 'primaries' | 'dependents' | 'starting') => lives.reduce((total, one) => total + one[key], 0)
  const [primaries, dependents] = [sum('primaries'), sum('dependents')]
  return (
    <PlainTable<Lives>
      label={t('lives')}
      miw="40rem"
      items={lives}
      idOf={(one) => one['product-id']}
      columns={[
        rowHeader(
          t('product'),
          (one) => (
            <>
              <Value>{one['product-name']}</Value> {one.retired && <Badge color="gray">{t('retiredProduct')}</Badge>}
            </>
          ),
          { fw: 600 },
        ),
        text(t('carrier'), 'carrier-name'),
        plain(t('type'), (one) => <ProductTypeText value={one['product-type']} />),
        number(t('primaries'), 'primaries'),
        number(t('dependentsCount'), 'dependents'),
        number(t('total'), ({ primaries, dependents }) => primaries + dependents),
        number(t('starting'), 'starting'),
      ]}
      foot={
        lives.length > 1 && (
          <Table.Tfoot>
            <Table.Tr fw={700}>
              <Table.Th scope="row" colSpan={3}>
                {t('total')}
              </Table.Th>
              {[primaries, dependents, primaries + dependents, sum('starting')].map((count, index) => (
                <Table.Td key={index} ta="end">
                  <NumberValue value={count} />
                </Table.Td>
              ))}
            </Table.Tr>
          </Table.Tfoot>
        )
      }
    />
  )
}
