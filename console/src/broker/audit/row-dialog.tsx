import { Stack } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useOperation } from '../../api/use-operation.ts'
import { CompanyLabel } from '../../entities/companies/company-label.tsx'
import { FactList, fact } from '../../components/fact-list.tsx'
import { TextLink } from '../../components/link.tsx'
import { RawView } from '../../components/raw-view.tsx'
import { NotFound, QueryView } from '../../components/state-view.tsx'
import { TextValue, Value } from '../../components/value.tsx'
import { ActionText } from './action-text.tsx'
import { ActorText } from './actor-text.tsx'
import type { AuditSearch } from './search.ts'
import { type AuditRow, TargetLink } from './target-link.tsx'
import type { ActorNames } from './use-actor-names.ts'
import { Dialog } from '../../components/dialog.tsx'

const route = getRouteApi('/shell/audit')

/** An audit row, and the filters that lead to what belongs to it. */
export function RowDialog({ id, names }: { readonly id: string; readonly names: ActorNames }) {
  const { t } = useTranslation(['audit', 'states'])
  const navigate = route.useNavigate()
  const found = useOperation('listAudit', { query: { id } })
  return (
    <Dialog
      onClose={() => void navigate({ search: ({ row: _row, ...filters }) => filters })}
      size="xl"
      title={t('rowTitle')}
    >
      <QueryView query={found}>
        {({ result: [row] }) => (row === undefined ? <NotFound /> : <Details row={row} names={names} />)}
      </QueryView>
    </Dialog>
  )
}

function Details({ row, names }: { readonly row: AuditRow; readonly names: ActorNames }) {
  const { t } = useTranslation('audit')
  const traceId = row['request-trace-id']
  return (
    <Stack>
      <FactList
        facts={[
          // With the milliseconds, as the export and the verification name it.
          fact(t('at'), <Value>{row.at}</Value>),
          fact(
            t('actor'),
            <FilterLink search={{ actor: row.actor }}>
              <ActorText actor={row.actor} names={names} />
            </FilterLink>,
          ),
          fact(t('actorId'), <Value>{row.actor}</Value>),
          fact(
            t('action'),
            <FilterLink search={{ action: row.action }}>
              <ActionText action={row.action} />
            </FilterLink>,
          ),
          ...row.target.split(' ').flatMap((target) => [
            fact(t('target'), <TargetLink row={{ ...row, target }} />),
            fact(
              t('ofTarget'),
              <FilterLink search={{ target }}>
                <Value>{target}</Value>
              </FilterLink>,
            ),
          ]),
          fact(t('company'), <CompanyLabel taxId={row['company-tax-id']} name={row['company-name']} />),
          fact(t('address'), <TextValue value={row.address} />),
          fact(t('requestTraceId'), <TextValue value={traceId} />),
          traceId !== null &&
            fact(t('ofRequest'), <FilterLink search={{ 'request-trace-id': traceId }}>{t('showAll')}</FilterLink>),
          fact(t('rowId'), <Value>{row.id}</Value>),
        ]}
      />
      <RawView value={row} />
    </Stack>
  )
}

function FilterLink({ search, children }: { readonly search: AuditSearch; readonly children: React.ReactNode }) {
  return (
    <TextLink to="/audit" search={search}>
      {children}
    </TextLink>
  )
}
