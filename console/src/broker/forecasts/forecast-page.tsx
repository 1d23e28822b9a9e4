import { Group, Text } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useOperation } from '../../api/use-operation.ts'
import { fact } from '../../components/fact-list.tsx'
import { ButtonLink, TextLink } from '../../components/link.tsx'
import { ObjectPage } from '../../components/object-page.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { QueryView } from '../../components/state-view.tsx'
import { DateValue, TimestampValue, Value } from '../../components/value.tsx'
import type { Forecast, PeopleLink } from '../../entities/forecasts/forecast.ts'
import { ForecastView } from '../../entities/forecasts/forecast-view.tsx'
import { ForecastMonth } from '../../entities/forecasts/month-filter.tsx'
import { Shortcomings } from '../../entities/forecasts/shortcomings.tsx'
import { VarianceTable } from '../../entities/forecasts/variance-table.tsx'
import { contractNumber } from '../../format/contract-number.ts'
import { formatMonth } from '../../format/month.ts'
import { FreezeButton } from './freeze-button.tsx'

const route = getRouteApi('/shell/forecasts/$contractId')

/** The next invoice of a contract before it comes; once it was read, what became of the forecast. */
export function ForecastPage() {
  const { t } = useTranslation('forecasts')
  const { contractId } = route.useParams()
  const contract = useOperation('readContract', { path: [contractId] })
  const forecast = useOperation('readForecast', { path: [contractId], query: route.useSearch() })
  const result = forecast.data?.result
  return (
    <ObjectPage query={contract} title={t('title')}>
      {({ result: { 'carrier-name': carrier, ...of } }) => (
        <>
          <PageHeader
            title={
              result === undefined ? (
                t('title')
              ) : (
                <Value>
                  {t('titleOne', {
                    month: formatMonth(result['reference-month']),
                    carrier,
                    contract: contractNumber(of),
                  })}
                </Value>
              )
            }
          >
            {result !== undefined && <FreezeButton forecast={result} />}
          </PageHeader>
          <Text size="sm" c="dimmed" mb="sm" maw="60rem">
            {t(result?.variance == null ? 'meaning' : 'stored')}
          </Text>
          <Group mb="md" gap="lg" align="flex-end">
            <ForecastMonth next={result?.['reference-month']} />
            {result !== undefined && (
              <ButtonLink
                to="/charges/$contractId/$month"
                params={{ contractId, month: result['reference-month'] }}
                variant="default"
              >
                {t('people')}
              </ButtonLink>
            )}
          </Group>
          <QueryView query={forecast}>{({ result: shown }) => <ForecastOfContract forecast={shown} />}</QueryView>
        </>
      )}
    </ObjectPage>
  )
}

function ForecastOfContract({ forecast }: { readonly forecast: Forecast }) {
  const { t } = useTranslation('forecasts')
  const params = { contractId: forecast['contract-id'], month: forecast['reference-month'] }
  const people: PeopleLink = (search, words) => (
    <TextLink to="/charges/$contractId/$month" params={params} search={search}>
      {words}
    </TextLink>
  )
  const lacks = forecast['missing-settings'].length > 0
  return (
    <>
      <Shortcomings forecast={forecast}>
        <TextLink to="/carriers/contracts/$contractId" params={params} hash="prices">
          {t('toContract')}
        </TextLink>
      </Shortcomings>
      {!lacks && (
        <ForecastView
          forecast={forecast}
          facts={[
            fact(t('cutOff'), <DateValue value={forecast['cut-off-date']} />),
            fact(t('frozenAt'), <TimestampValue value={forecast['frozen-at']} />),
          ]}
          people={people}
        >
          {forecast.variance !== null && <VarianceTable variance={forecast.variance} people={people} />}
        </ForecastView>
      )}
    </>
  )
}
