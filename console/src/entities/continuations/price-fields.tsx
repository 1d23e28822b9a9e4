import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { amountIsWrong, bandIsWrong, type PriceValues } from './prices.ts'

/** The monthly prices by age band, for the notice. @param props.isChecked whether what is wrong is shown. */
export function PriceFields(props: {
  readonly prices: readonly PriceValues[]
  readonly onChange: (prices: readonly PriceValues[]) => void
  readonly isChecked: boolean
}) {
  const { prices, onChange, isChecked } = props
  const { t } = useTranslation('continuations')
  const change = (key: number, part: Partial<PriceValues>) =>
    onChange(prices.map((one) => (one.key === key ? { ...one, ...part } : one)))
  const nextKey = Math.max(0, ...prices.map(({ key }) => key)) + 1
  return (
    <Stack gap="xs">
      <Text size="sm">{t('pricesText')}</Text>
      {prices.map((one, index) => (
        <Group key={one.key} align="flex-start" role="group" aria-label={`${t('price')} ${index + 1}`}>
          <TextInput
            label={t('ageBand')}
            placeholder="0-18"
            w="7rem"
            value={one.band}
            error={isChecked && bandIsWrong(one) ? t('invalidBand') : undefined}
            onChange={({ currentTarget: { value } }) => change(one.key, { band: value })}
          />
          <TextInput
            label={t('amount')}
            placeholder="412,35"
            inputMode="decimal"
            w="9rem"
            value={one.amount}
            error={isChecked && amountIsWrong(one) ? t('invalidAmount') : undefined}
            onChange={({ currentTarget: { value } }) => change(one.key, { amount: value })}
          />
          <Button
            variant="default"
            mt={25}
            aria-label={t('removePrice', { number: String(index + 1) })}
            onClick={() => onChange(prices.filter(({ key }) => key !== one.key))}
          >
            {t('remove')}
          </Button>
        </Group>
      ))}
      <Group>
        <Button variant="default" onClick={() => onChange([...prices, { key: nextKey, band: '', amount: '' }])}>
          {t('addPrice')}
        </Button>
      </Group>
    </Stack>
  )
}
