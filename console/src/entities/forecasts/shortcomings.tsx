import { Alert, List, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../format/number.ts'
import type { CarrierForecast } from './forecast.ts'

/** What a contract lacks, so that a forecast has no figures, or not of all people. @param props.children the way to the contract. */
export function Shortcomings(props: {
  readonly forecast: Pick<CarrierForecast, 'missing-settings' | 'without-price'>
  readonly children?: ReactNode
}) {
  const { t } = useTranslation('forecasts')
  const { 'missing-settings': missing, 'without-price': count } = props.forecast
  if (missing.length === 0 && count === 0) return null
  return (
    <Alert color="yellow" variant="outline" {...(missing.length > 0 ? { title: t('missing') } : {})}>
      {missing.length > 0 && (
        <List size="sm">
          {missing.map((name) => (
            <List.Item key={name}>{t(`missingOf.${name}`)}</List.Item>
          ))}
        </List>
      )}
      {count > 0 && <Text size="sm">{t('withoutPrice', { count, formatted: formatNumber(count) })}</Text>}
      {props.children}
    </Alert>
  )
}
