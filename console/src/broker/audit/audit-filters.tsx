import { useTranslation } from 'react-i18next'
import { AUDIT_ACTIONS } from '../../../../src/kernel/audit-actions.ts'
import { Choice } from '../../components/choice.tsx'
import { knownAction } from '../../entities/audit/known-action.ts'
import { serviceActors } from './actor-text.tsx'
import { ChoiceFilter, CompanyFilter, DayFilter, Filters, TextFilter, useFilters } from '../../lists/filters.tsx'
import { type AuditSearch, hasValidDays } from './search.ts'
import type { ActorNames } from './use-actor-names.ts'

/** All filters of the audit, in the address. They compare exactly. */
export function AuditFilters({ search, names }: { readonly search: AuditSearch; readonly names: ActorNames }) {
  const { t } = useTranslation('audit')
  const { change } = useFilters()
  const { action } = search
  return (
    <Filters>
      <ActorSelect actor={search.actor} names={names} onChange={(actor) => change({ actor })} />
      <ChoiceFilter
        name="action"
        label={t('action')}
        any={t('any')}
        data={[
          ...AUDIT_ACTIONS.map((known) => ({ value: known as string, label: t(`actions.${known}`) })),
          ...(action !== undefined && knownAction(action) === undefined ? [{ value: action, label: action }] : []),
        ]}
      />
      <TextFilter name="target" label={t('targetId')} />
      <CompanyFilter label={t('company')} />
      <TextFilter name="address" label={t('address')} />
      <TextFilter name="request-trace-id" label={t('requestTraceId')} />
      <DayFilter name="from-dt" label={t('from')} />
      <DayFilter name="until-dt" label={t('until')} error={hasValidDays(search) ? undefined : t('invalidDays')} />
      {search.id !== undefined && <TextFilter name="id" label={t('rowId')} />}
    </Filters>
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
