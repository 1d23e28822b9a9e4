import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { ButtonLink, TextLink } from '../../components/link.tsx'
import { companyApi } from '../../entities/company-hr/client.ts'
import { TableClientProvider } from '../../entities/movement-sheets/client.ts'
import { companyRosters, RosterClientProvider } from '../../entities/rosters/client.ts'
import { SyncPage } from '../../entities/rosters/sync-page.tsx'

const route = getRouteApi('/shell/hr/rosters/$rosterSyncId')

/** A list of who should be covered, of the company. */
export function RosterPage() {
  const { t } = useTranslation(['rosters', 'drafts'])
  const { rosterSyncId } = route.useParams()
  return (
    <RosterClientProvider value={companyRosters}>
      <TableClientProvider value={companyApi.tables}>
        <SyncPage
          key={rosterSyncId}
          id={rosterSyncId}
          mayWrite
          links={{
            person: (memberId, name) => (
              <TextLink to="/hr/people/$memberId" params={{ memberId }} translate="no">
                {name}
              </TextLink>
            ),
            request: (requestId, number) => (
              <TextLink key={requestId} to="/hr/requests/$requestId" params={{ requestId }}>
                {t('drafts:openRequest', { number })}
              </TextLink>
            ),
            again: (sync) => (
              <ButtonLink
                size="xs"
                variant="default"
                to="/hr/rosters/new"
                search={{ doubts: sync.doubts.map(({ doubt }) => doubt).join(',') }}
              >
                {t('rosters:again')}
              </ButtonLink>
            ),
          }}
        />
      </TableClientProvider>
    </RosterClientProvider>
  )
}
