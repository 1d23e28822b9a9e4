import { Alert, Group, Text } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { Company } from '@vigencia/client'
import { useTranslation } from 'react-i18next'
import { TextLink } from '../../components/link.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { PlainTable, rowHeader } from '../../components/plain-table.tsx'
import { SectionTitle } from '../../components/section-title.tsx'
import { QueryView } from '../../components/state-view.tsx'
import { Value } from '../../components/value.tsx'
import { useCompanyOperation } from '../../entities/company-hr/client.ts'
import { OfCompany } from '../../entities/company-hr/of-company.tsx'
import { type CarrierForecast, changeOf, type PeopleLink } from '../../entities/forecasts/forecast.ts'
import { ForecastView } from '../../entities/forecasts/forecast-view.tsx'
import { ForecastMonth } from '../../entities/forecasts/month-filter.tsx'
import { VarianceTable } from '../../entities/forecasts/variance-table.tsx'
import { date, money } from '../../lists/columns.tsx'

const route = getRouteApi('/shell/hr/forecast')

/** The next invoices of the company before they come. */
export function ForecastPage() {
  const { t } = useTranslation('forecasts')
  return (
    <>
      <PageHeader title={t('title')} />
      <Text size="sm" c="dimmed" mb="sm" maw="60rem">
        {t('meaning')}
      </Text>
      <OfCompany>{(company) => <Forecast company={company} />}</OfCompany>
    </>
  )
}

function Forecast({ company }: { readonly company: Company }) {
  const { t } = useTranslation('forecasts')
  const query = useCompanyOperation('readForecastOfCompany', { path: [company['tax-id']], query: route.useSearch() })
  const month = query.data?.result['reference-month']
  const people: PeopleLink = (search, words) => (
    <TextLink to="/hr/charges/$month" params={{ month: month ?? '' }} search={search}>
      {words}
    </TextLink>
  )
  return (
    <>
      <Group mb="md">
        <ForecastMonth next={month} />
      </Group>
      <QueryView query={query}>
        {({ result }) => (
          <ForecastView forecast={result} people={people}>
            {result.incomplete && (
              <Alert color="yellow" variant="outline">
                {t('incomplete')}
              </Alert>
            )}
            <section>
              <SectionTitle>{t('contracts')}</SectionTitle>
              <PlainTable<CarrierForecast & { readonly index: number }>
                label={t('contracts')}
                miw="36rem"
                // A company may have several contracts with a carrier, and does not see their ids.
                items={result.contracts.map((one, index) => ({ ...one, index }))}
                idOf={({ index }) => index}
                columns={[
                  rowHeader(t('carrier'), (one) => <Value>{one['carrier-name']}</Value>),
                  date(t('cutOff'), 'cut-off-date'),
                  money(t('lastAmount'), 'last-amount'),
                  money(t('total'), 'total'),
                  money(t('change'), changeOf),
                ]}
              />
            </section>
            {result.contracts.map(
              (one, index) =>
                one.variance !== null && (
                  <VarianceTable key={index} variance={one.variance} name={one['carrier-name']} people={people} />
                ),
            )}
          </ForecastView>
        )}
      </QueryView>
    </>
  )
}
