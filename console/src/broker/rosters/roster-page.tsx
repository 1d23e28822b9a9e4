import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { ButtonLink, TextLink } from '../../components/link.tsx'
import { CnpjValue } from '../../components/value.tsx'
import { TableClientProvider } from '../../entities/movement-sheets/client.ts'
import { operatorRosters, RosterClientProvider } from '../../entities/rosters/client.ts'
import { SyncPage } from '../../entities/rosters/sync-page.tsx'
import { usePermission } from '../../session/use-permission.ts'
import { operatorTables } from '../new-movement/operator-tables.ts'

const route = getRouteApi('/shell/rosters/$rosterSyncId')

/** A list of who should be covered. */
export function RosterPage() {
  const { t } = useTranslation(['rosters', 'drafts'])
  const { rosterSyncId } = route.useParams()
  const mayWrite = usePermission('createRosterSyncOfCompany')
  return (
    <RosterClientProvider value={operatorRosters}>
      <TableClientProvider value={operatorTables}>
        <SyncPage
          key={rosterSyncId}
          id={rosterSyncId}
          mayWrite={mayWrite}
          links={{
            company: (taxId) => (
              <TextLink to="/companies/$taxId" params={{ taxId }} size="md">
                <CnpjValue value={taxId} />
              </TextLink>
            ),
            person: (memberId, name) => (
              <TextLink to="/members/$memberId" params={{ memberId }} translate="no">
                {name}
              </TextLink>
            ),
            request: (requestId, number) => (
              <TextLink key={requestId} to="/requests/$requestId" params={{ requestId }}>
                {t('drafts:openRequest', { number })}
              </TextLink>
            ),
            again: (sync) => (
              <ButtonLink
                size="xs"
                variant="default"
                to="/rosters/new"
                search={{
                  company: sync['company-tax-id'],
                  doubts: sync.doubts.map(({ doubt }) => doubt).join(','),
                }}
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
