import { Group, Stack, Switch, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Facts, FactList, fact } from '../../components/fact-list.tsx'
import { numeric, plain, PlainTable, rowHeader } from '../../components/plain-table.tsx'
import { SectionTitle } from '../../components/section-title.tsx'
import { DateValue, MoneyValue } from '../../components/value.tsx'
import { formatMonth } from '../../format/month.ts'
import { certainties, changeOf, type Figures, type PeopleLink } from './forecast.ts'
import { StepTable } from './step-table.tsx'

/**
 * The next invoice before it comes: from the last one to it, and how certain it is.
 * @param props.facts further ones, such as the cut-off.
 */
export function ForecastView(props: {
  readonly forecast: Figures
  readonly facts?: Facts
  readonly people: PeopleLink
  readonly children?: ReactNode
}) {
  const { forecast, facts = [], people, children } = props
  const { t } = useTranslation(['forecasts', 'charges'])
  const [isCertain, setCertain] = useState(false)
  const { 'last-amount': last, 'by-certainty': amounts, total, 'by-cause': causes } = forecast
  const next = isCertain && amounts !== null ? amounts.firm : total
  const figures = last === null || total === null || amounts === null ? null : { last, total, amounts, causes }
  return (
    <Stack gap="lg">
      <FactList
        facts={[
          fact(t('forecasts:asOf'), <DateValue value={forecast['as-of']} />),
          ...facts,
          fact(t('forecasts:lastAmount'), <MoneyValue value={last} />),
          fact(
            t(isCertain ? 'forecasts:totalCertain' : 'forecasts:total'),
            <Text span inherit fw={700}>
              <MoneyValue value={next} />
            </Text>,
          ),
          fact(t('forecasts:change'), <MoneyValue value={changeOf({ total: next, 'last-amount': last })} />),
          fact(
            t('forecasts:later'),
            <>
              <MoneyValue value={forecast.later} />
              {forecast['later-by-invoice'].map((one) => (
                <Text key={one['due-in']} size="xs" c="dimmed">
                  {t('forecasts:laterIn', { month: formatMonth(one['due-in']) })} <MoneyValue value={one.amount} />
                </Text>
              ))}
            </>,
          ),
          fact(t('forecasts:lost'), <MoneyValue value={forecast.lost} />),
        ]}
      />
      {children}
      {figures !== null && (
        <>
          <section>
            <Group justify="space-between" mb="xs">
              <SectionTitle mb={0}>{t('forecasts:steps')}</SectionTitle>
              <Switch
                label={t('forecasts:onlyCertain')}
                checked={isCertain}
                onChange={({ currentTarget }) => setCertain(currentTarget.checked)}
              />
            </Group>
            <StepTable figures={figures} isCertain={isCertain} people={people} />
          </section>
          <section>
            <SectionTitle>{t('forecasts:byCertainty')}</SectionTitle>
            <PlainTable<(typeof certainties)[number]>
              label={t('forecasts:byCertainty')}
              items={certainties}
              idOf={(certainty) => certainty}
              columns={[
                rowHeader(t('charges:certainty'), (certainty) =>
                  people({ certainty }, t(`charges:certaintyOf.${certainty}`)),
                ),
                plain(t('forecasts:includes'), (certainty) => t(`forecasts:meaningOf.${certainty}`)),
                numeric(t('forecasts:amount'), (certainty) => <MoneyValue value={figures.amounts[certainty]} />),
              ]}
            />
          </section>
        </>
      )}
    </Stack>
  )
}
