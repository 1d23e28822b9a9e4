import { useTranslation } from 'react-i18next'
import { Value } from '../../components/value.tsx'
import type { ActorNames } from './use-actor-names.ts'

/** Actors of the service itself. */
export const serviceActors = ['service', 'carrier', 'clock', 'resolution'] as const

/** An operator or a client by name. */
export const actorName = (actor: string, names: ActorNames) =>
  names.operators.get(actor) ?? names.people.get(actor) ?? names.clients.get(actor) ?? actor

/** Who acted: an operator or a client by name, or the service. */
export function ActorText({ actor, names }: { readonly actor: string; readonly names: ActorNames }) {
  const { t } = useTranslation('terms')
  const own = serviceActors.find((known) => known === actor)
  if (own !== undefined) return <>{t(`actor.${own}`)}</>
  return <Value>{actorName(actor, names)}</Value>
}
