import { Box, Table, Text } from '@mantine/core'
import type { Result } from '@vigencia/client'
import { useTranslation } from 'react-i18next'
import { Badge } from '../../components/badge.tsx'
import { NumberValue, TextValue, Value } from '../../components/value.tsx'
import { ProductTypeText } from './product-table.tsx'

type Headcount = Result<'readCompanyHeadcount'>

const sum = (lives: Headcount, key: 'primaries' | 'dependents' | 'starting') =>
  lives.reduce((total, one) => total + one[key], 0)

const totalsOf = (lives: Headcount) => ({
  primaries: sum(lives, 'primaries'),
  dependents: sum(lives, 'dependents'),
  starting: sum(lives, 'starting'),
})

/** How many primaries and dependents have each product of a company today. */
export function HeadcountTable({ lives }: { readonly lives: Headcount }) {
  const { t } = useTranslation('companies')
  if (lives.length === 0) return <Text size="sm">{t('noLives')}</Text>
  const rows = [
    ...lives.map((one) => ({ ...one, key: one['product-id'] })),
    ...(lives.length > 1 ? [{ ...totalsOf(lives), key: 'total' }] : []),
  ]
  return (
    <Box className="plain-table" tabIndex={0} role="region" aria-label={t('lives')}>
      <Table verticalSpacing={6} miw="40rem">
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{t('product')}</Table.Th>
            <Table.Th scope="col">{t('carrier')}</Table.Th>
            <Table.Th scope="col">{t('type')}</Table.Th>
            {(['primaries', 'dependentsCount', 'total', 'starting'] as const).map((name) => (
              <Table.Th key={name} scope="col" ta="right">
                {t(name)}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={row.key} fw={row.key === 'total' ? 700 : 400}>
              {'product-name' in row ? (
                <>
                  <Table.Th scope="row" fw={600}>
                    <Value>{row['product-name']}</Value>{' '}
                    {row.retired && <Badge color="gray">{t('retiredProduct')}</Badge>}
                  </Table.Th>
                  <Table.Td>
                    <TextValue value={row['carrier-name']} />
                  </Table.Td>
                  <Table.Td>
                    <ProductTypeText value={row['product-type']} />
                  </Table.Td>
                </>
              ) : (
                <Table.Th scope="row" colSpan={3}>
                  {t('total')}
                </Table.Th>
              )}
              {[row.primaries, row.dependents, row.primaries + row.dependents, row.starting].map((count, index) => (
                <Table.Td key={index} ta="right">
                  <NumberValue value={count} />
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Box>
  )
}
