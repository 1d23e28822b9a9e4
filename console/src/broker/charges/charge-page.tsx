import { Group } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { operationQuery } from '../../api/use-operation.ts'
import { TextLink } from '../../components/link.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { QueryView } from '../../components/state-view.tsx'
import { ChargeList } from '../../entities/charges/charge-list.tsx'
import { MonthField } from '../../entities/charges/month-field.tsx'
import { brokerLinks } from './links.tsx'

const route = getRouteApi('/shell/charges/$contractId/$month/why')

/** Why an invoice charges what it charges for a person. */
export function ChargePage() {
  const { t } = useTranslation('charges')
  const { contractId, month } = route.useParams()
  const search = route.useSearch()
  const query = useQuery({
    ...operationQuery('listCharges', { path: [contractId], query: { ...search, 'reference-month': month } }),
    placeholderData: keepPreviousData,
  })
  return (
    <>
      <PageHeader title={t('why')} />
      <Group mb="md" gap="lg" align="flex-end">
        <MonthField month={month} />
        <TextLink to="/charges/$contractId/$month" params={{ contractId, month }} pb={8}>
          {t('all')}
        </TextLink>
      </Group>
      <QueryView query={query}>
        {({ result }) => <ChargeList charges={result} month={month} links={brokerLinks} />}
      </QueryView>
    </>
  )
}
