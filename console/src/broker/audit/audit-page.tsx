import { Stack } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { CompanyLabel } from '../../entities/companies/company-label.tsx'
import { TextLink } from '../../components/link.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Forbidden } from '../../components/state-view.tsx'
import { Value } from '../../components/value.tsx'
import { formatSecond } from '../../format/date.ts'
import { column, text } from '../../lists/columns.tsx'
import { usePermission } from '../../session/use-permission.ts'
import { ActionText } from './action-text.tsx'
import { ActorText } from './actor-text.tsx'
import { AuditExport } from './audit-export.tsx'
import { AuditFilters } from './audit-filters.tsx'
import { RowDialog } from './row-dialog.tsx'
import { auditQueryOf, type AuditSearch, hasValidDays } from './search.ts'
import { TargetLink } from './target-link.tsx'
import { useActorNames } from './use-actor-names.ts'
import { Verification } from './verification.tsx'
import { listTable } from '../../lists/list-page.tsx'

const Table = listTable('listAudit')
const route = getRouteApi('/shell/audit')

/** Every write through both APIs: filtered, exported, and verified against the hash chain. */
export function AuditPage() {
  const { t } = useTranslation('audit')
  const mayRead = usePermission('listAudit')
  return mayRead ? (
    <Audit />
  ) : (
    <>
      <PageHeader title={t('title')} />
      <Forbidden />
    </>
  )
}

function Audit() {
  const { t } = useTranslation('audit')
  const search = route.useSearch()
  const names = useActorNames()
  return (
    <Stack gap="md">
      <div>
        <PageHeader title={t('title')}>
          <AuditExport query={auditQueryOf(search)} isReady={hasValidDays(search)} names={names} />
        </PageHeader>
        <AuditFilters search={search} names={names} />
        {hasValidDays(search) && (
          <Table
            label={t('title')}
            query={auditQueryOf(search)}
            columns={[
              column(t('at'), '11rem', (row) => (
                <TextLink to="/audit" search={(former: AuditSearch) => ({ ...former, row: row.id })}>
                  <Value>{formatSecond(row.at)}</Value>
                </TextLink>
              )),
              column(t('actor'), 'minmax(10rem, 0.8fr)', (row) => <ActorText actor={row.actor} names={names} />),
              column(t('action'), 'minmax(14rem, 1fr)', (row) => <ActionText action={row.action} />),
              column(t('target'), 'minmax(12rem, 1fr)', (row) => <TargetLink row={row} />),
              column(t('company'), 'minmax(16rem, 1fr)', (row) => (
                <CompanyLabel taxId={row['company-tax-id']} name={row['company-name']} />
              )),
              text(t('address'), 'address', '9rem'),
            ]}
            idOf={({ id }) => id}
          />
        )}
      </div>
      <Verification />
      {search.row !== undefined && <RowDialog id={search.row} names={names} />}
    </Stack>
  )
}
