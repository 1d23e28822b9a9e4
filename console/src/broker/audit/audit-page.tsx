import { Stack } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { usePagedList } from '../../api/use-paged-list.ts'
import { CompanyLabel } from '../../entities/companies/company-label.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
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
import { type AuditRow, TargetLink } from './target-link.tsx'
import { type ActorNames, useActorNames } from './use-actor-names.ts'
import { Verification } from './verification.tsx'

const route = getRouteApi('/shell/audit')

const columnsOf = (t: TFunction<'audit'>, names: ActorNames): readonly Column<AuditRow>[] => [
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
]

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
        {hasValidDays(search) && <Rows search={search} names={names} />}
      </div>
      <Verification />
      {search.row !== undefined && <RowDialog id={search.row} names={names} />}
    </Stack>
  )
}

function Rows({ search, names }: { readonly search: AuditSearch; readonly names: ActorNames }) {
  const { t } = useTranslation('audit')
  const list = usePagedList('listAudit', auditQueryOf(search))
  return <DataTable label={t('title')} columns={columnsOf(t, names)} list={list} idOf={({ id }) => id} />
}
