import { Alert, Group, Text } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useOperation } from '../../api/use-operation.ts'
import { TextLink } from '../../components/link.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { PlainTable, rowHeader } from '../../components/plain-table.tsx'
import { SectionTitle } from '../../components/section-title.tsx'
import { Empty, Forbidden, QueryView } from '../../components/state-view.tsx'
import { Value } from '../../components/value.tsx'
import { changeOf, type CompanyForecast, type Forecast } from '../../entities/forecasts/forecast.ts'
import { ForecastView } from '../../entities/forecasts/forecast-view.tsx'
import { ForecastMonth } from '../../entities/forecasts/month-filter.tsx'
import { contractNumber } from '../../format/contract-number.ts'
import { CompanyFilter } from '../../lists/filters.tsx'
import { date, money } from '../../lists/columns.tsx'
import { usePermission } from '../../session/use-permission.ts'

const route = getRouteApi('/shell/forecasts')

/** The next invoices of a company, and the way to that of each contract. */
export function ForecastsPage() {
  const { t } = useTranslation('forecasts')
  const { 'company-tax-id': taxId, ...query } = route.useSearch()
  const mayRead = usePermission('readCompanyForecast')
  const isChosen = taxId !== undefined
  const forecast = useOperation('readCompanyForecast', { path: [taxId ?? ''], query }, { enabled: mayRead && isChosen })
  if (!mayRead) return <Forbidden />
  return (
    <>
      <PageHeader title={t('title')} />
      <Text size="sm" c="dimmed" mb="sm" maw="60rem">
        {t('meaning')}
      </Text>
      <Group mb="md" gap="sm" align="flex-end">
        <CompanyFilter label={t('company')} />
        {isChosen && <ForecastMonth next={forecast.data?.result['reference-month']} />}
      </Group>
      {isChosen ? (
        <QueryView query={forecast}>{({ result }) => <ForecastOfCompany forecast={result} />}</QueryView>
      ) : (
        <Empty>{t('choose')}</Empty>
      )}
    </>
  )
}

function ForecastOfCompany({ forecast }: { readonly forecast: CompanyForecast }) {
  const { t } = useTranslation('forecasts')
  return (
    <ForecastView forecast={forecast} people={(_search, words) => words}>
      {forecast.incomplete && (
        <Alert color="yellow" variant="outline">
          {t('incomplete')}
        </Alert>
      )}
      <section>
        <SectionTitle>{t('contracts')}</SectionTitle>
        <PlainTable<Forecast>
          label={t('contracts')}
          miw="40rem"
          items={forecast.contracts}
          idOf={(one) => one['contract-id']}
          columns={[
            rowHeader(t('contract'), (one) => (
              <TextLink
                to="/forecasts/$contractId"
                params={{ contractId: one['contract-id'] }}
                search={{ 'reference-month': one['reference-month'] }}
              >
                <Value>{`${one['carrier-name']} · ${contractNumber(one)}`}</Value>
              </TextLink>
            )),
            date(t('cutOff'), 'cut-off-date'),
            money(t('lastAmount'), 'last-amount'),
            money(t('total'), 'total'),
            money(t('change'), changeOf),
          ]}
        />
      </section>
    </ForecastView>
  )
}
