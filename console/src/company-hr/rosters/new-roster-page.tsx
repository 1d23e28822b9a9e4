import { Text } from '@mantine/core'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { PageHeader } from '../../components/page-header.tsx'
import { companyApi } from '../../entities/company-hr/client.ts'
import { OfCompany } from '../../entities/company-hr/of-company.tsx'
import { TableClientProvider } from '../../entities/movement-sheets/client.ts'
import { companyRosters, RosterClientProvider } from '../../entities/rosters/client.ts'
import { doubtsOf, NewList } from '../../entities/rosters/new-list.tsx'

const route = getRouteApi('/shell/hr/rosters/new')

/** A list of who should be covered, of the company. */
export function NewRosterPage() {
  const { t } = useTranslation('rosters')
  const { doubts } = route.useSearch()
  const navigate = useNavigate()
  return (
    <RosterClientProvider value={companyRosters}>
      <TableClientProvider value={companyApi.tables}>
        <PageHeader title={t('newList')} />
        <Text size="sm" c="dimmed" mb="md" maw="80ch">
          {t('help')}
        </Text>
        <OfCompany>
          {(company) => (
            <NewList
              company={company}
              doubts={doubtsOf(doubts)}
              create={(body) => companyApi.roster.create(body, { idempotencyKey: crypto.randomUUID() })}
              onSent={(rosterSyncId) => navigate({ to: '/hr/rosters/$rosterSyncId', params: { rosterSyncId } })}
            />
          )}
        </OfCompany>
      </TableClientProvider>
    </RosterClientProvider>
  )
}
