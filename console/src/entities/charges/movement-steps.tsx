import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { SectionTitle } from '../../components/section-title.tsx'
import { Timeline } from '../../components/timeline.tsx'
import { formatMonth } from '../../format/month.ts'
import { saoPauloDay } from '../../format/date.ts'
import type { Charge, ChargeLinks, Movement } from './charge.ts'

const dayOf = (at: string) => (at.length === 10 ? at : saoPauloDay(new Date(at)))

/** What happened to a movement, by its days. */
function stepsOf(movement: Movement) {
  const steps = {
    requested: movement['requested-at'],
    sent: movement['sent-at'],
    'cut-off': movement['cut-off-date'],
    answered: movement['answered-at'],
  }
  return (Object.entries(steps) as readonly [keyof typeof steps, string | null][])
    .flatMap(([name, at]) => (at === null ? [] : [{ name, at }]))
    .toSorted((one, other) => dayOf(one.at).localeCompare(dayOf(other.at)))
}

/** The movements that brought a charge, with the days on which the carrier was told and answered. */
export function MovementSteps({ charge, links }: { readonly charge: Charge; readonly links: ChargeLinks }) {
  const { t } = useTranslation(['charges', 'terms'])
  const movements = new Map(
    charge.causes.flatMap(({ movement }) => movement ?? []).map((one) => [one['enrollment-id'], one]),
  )
  if (movements.size === 0) return null
  return (
    <section>
      <SectionTitle>{t('charges:steps')}</SectionTitle>
      {[...movements.values()].map((movement) => (
        <div key={movement['enrollment-id']}>
          <Text mb="xs">
            <links.Movement movement={movement}>{t(`terms:type.${movement['enrollment-type']}`)}</links.Movement>
          </Text>
          <Timeline
            entries={stepsOf(movement).map(({ name, at }) => ({
              key: name,
              title: t(`charges:step.${name}`),
              at,
              details: name === 'cut-off' && movement['due-in'] !== null && (
                <Text size="sm">{t('charges:dueIn', { month: formatMonth(movement['due-in']) })}</Text>
              ),
            }))}
          />
        </div>
      ))}
    </section>
  )
}
