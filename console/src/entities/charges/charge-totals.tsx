import { Box, Text } from '@mantine/core'
import type { ResponseBody } from '@vigencia/client'
import { useTranslation } from 'react-i18next'
import { FactList, fact } from '../../components/fact-list.tsx'
import { MoneyValue } from '../../components/value.tsx'

/** What all charges that the filters select sum up to, and by what they are known. */
export function ChargeTotals({ body }: { readonly body: ResponseBody<'listCharges'> }) {
  const { t } = useTranslation('charges')
  const { totals, result } = body
  const [first] = result
  return (
    <Box component="section" aria-label={t('totals')} mb="sm">
      {first !== undefined && (
        <Text size="sm" c="dimmed" mb="xs">
          {t(`basis.${first.basis}`)}
        </Text>
      )}
      <FactList
        facts={[
          fact(t('amount'), <MoneyValue value={totals.amount} />),
          fact(t('expected'), <MoneyValue value={totals.expected} />),
          fact(t('difference'), <MoneyValue value={totals.difference} />),
          fact(t('withoutPerson'), <MoneyValue value={totals['without-person']} />),
        ]}
      />
    </Box>
  )
}
