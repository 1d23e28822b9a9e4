import { Button, Group } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { AUDIT_ACTIONS } from '../../../../src/kernel/audit-actions.ts'
import { Choice } from '../../components/choice.tsx'
import { DateField } from '../../components/date-field.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { CompanySelect } from '../invoices/company-select.tsx'
import { knownAction } from './known-action.ts'
import { serviceActors } from './actor-text.tsx'
import { type AuditSearch, auditSearchOf, hasValidDays } from './search.ts'
import type { ActorNames } from './use-actor-names.ts'

const route = getRouteApi('/shell/audit')

/** All filters of the audit, in the address. They compare exactly. */
export function AuditFilters({ search, names }: { readonly search: AuditSearch; readonly names: ActorNames }) {
  const { t } = useTranslation(['audit', 'states', 'terms'])
  const navigate = route.useNavigate()
  const change = (changed: { readonly [Name in keyof AuditSearch]: string | undefined }) =>
    void navigate({ search: (former) => auditSearchOf({ ...former, ...changed }), replace: true })
  const { 'company-tax-id': company, action } = search
  const text = (name: 'target' | 'address' | 'request-trace-id' | 'id', label: string) => (
    <SearchField key={name} label={label} value={search[name]} onChange={(value) => change({ [name]: value })} />
  )
  return (
    <Group align="flex-end" mb="md" gap="sm" role="search" aria-label={t('states:filters')}>
      <ActorSelect actor={search.actor} names={names} onChange={(actor) => change({ actor })} />
      <Choice
        label={t('action')}
        any={t('any')}
        value={action}
        onChange={(value) => change({ action: value })}
        data={[
          ...AUDIT_ACTIONS.map((known) => ({ value: known as string, label: t(`actions.${known}`) })),
          ...(action !== undefined && knownAction(action) === undefined ? [{ value: action, label: action }] : []),
        ]}
      />
      {text('target', t('targetId'))}
      <CompanySelect
        label={t('company')}
        value={company ?? null}
        onChange={(taxId) => change({ 'company-tax-id': taxId ?? undefined })}
      />
      {text('address', t('address'))}
      {text('request-trace-id', t('requestTraceId'))}
      <DateField
        label={t('from')}
        value={search['from-dt'] ?? null}
        onChange={(value) => change({ 'from-dt': value ?? undefined })}
      />
      <DateField
        label={t('until')}
        value={search['until-dt'] ?? null}
        error={hasValidDays(search) ? undefined : t('invalidDays')}
        onChange={(value) => change({ 'until-dt': value ?? undefined })}
      />
      {search.id !== undefined && text('id', t('rowId'))}
      {Object.keys(search).length > 0 && (
        <Button variant="default" onClick={() => void navigate({ search: {} })}>
          {t('states:clearFilters')}
        </Button>
      )}
    </Group>
  )
}

function ActorSelect(props: {
  readonly actor: string | undefined
  readonly names: ActorNames
  readonly onChange: (actor: string | undefined) => void
}) {
  const { t } = useTranslation(['audit', 'terms'])
  const { actor, names, onChange } = props
  const groups = [
    { label: t('operators'), names: names.operators },
    { label: t('clients'), names: names.clients },
  ]
  const isListed =
    actor === undefined || groups.some((group) => group.names.has(actor)) || serviceActors.some((own) => own === actor)
  return (
    <Choice
      label={t('actor')}
      any={t('any')}
      isData
      value={actor}
      onChange={onChange}
      data={[
        ...serviceActors.map((own) => ({ value: own as string, label: t(`terms:actor.${own}`) })),
        ...groups.map((group) => ({
          group: group.label,
          items: [...group.names].map(([value, label]) => ({ value, label })),
        })),
        // A removed operator, or a revoked client.
        ...(isListed ? [] : [{ value: actor ?? '', label: actor ?? '' }]),
      ]}
    />
  )
}
