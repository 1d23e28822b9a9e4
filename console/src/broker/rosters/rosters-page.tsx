import { useTranslation } from 'react-i18next'
import { ROSTER_STATUSES } from '../../../../src/kernel/roster-syncs.ts'
import { ButtonLink, TextLink } from '../../components/link.tsx'
import { CnpjValue } from '../../components/value.tsx'
import type { RosterSync } from '../../entities/rosters/client.ts'
import { useListColumns } from '../../entities/rosters/list-columns.tsx'
import { formatTimestamp } from '../../format/date.ts'
import { column } from '../../lists/columns.tsx'
import { ChoiceFilter, CompanyFilter, Filters } from '../../lists/filters.tsx'
import { listPage } from '../../lists/list-page.tsx'
import { usePermission } from '../../session/use-permission.ts'

const List = listPage('listAllRosterSyncs')

/** The lists of who should be covered of all companies, newest first. */
export function RostersPage() {
  const { t } = useTranslation(['rosters', 'terms'])
  const maySend = usePermission('createRosterSyncOfCompany')
  const { sent, others } = useListColumns((sync) => (
    <TextLink to="/rosters/$rosterSyncId" params={{ rosterSyncId: sync['roster-sync-id'] }} translate="no">
      {formatTimestamp(sync['created-at'])}
    </TextLink>
  ))
  return (
    <List
      title={t('rosters:title')}
      options={{ refetchInterval: 10_000 }}
      actions={maySend && <ButtonLink to="/rosters/new">{t('rosters:newList')}</ButtonLink>}
      filters={
        <Filters>
          <CompanyFilter label={t('rosters:company')} />
          <ChoiceFilter
            name="status"
            label={t('rosters:status')}
            any={t('rosters:any')}
            data={ROSTER_STATUSES.map((value) => ({ value, label: t(`terms:rosterStatus.${value}`) }))}
          />
        </Filters>
      }
      columns={[
        sent,
        column<RosterSync>(t('rosters:company'), '9.5rem', (sync) => (
          <TextLink to="/companies/$taxId" params={{ taxId: sync['company-tax-id'] }}>
            <CnpjValue value={sync['company-tax-id']} />
          </TextLink>
        )),
        ...others,
      ]}
      idOf={(sync) => sync['roster-sync-id']}
      empty={t('rosters:empty')}
    />
  )
}
