import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Timeline } from '../../components/timeline.tsx'
import { Value } from '../../components/value.tsx'
import { useOperatorNames } from '../../decisions/use-operator-names.ts'
import type { Movement } from './comparison.ts'
import { Section } from './section.tsx'

/** Each status of the movement, who set it and why. */
export function History({ movement }: { readonly movement: Movement }) {
  const { t } = useTranslation(['movement', 'terms'])
  const nameOf = useOperatorNames()
  const entries = movement.history.map(({ status, at, actor, reason, 'actor-id': actorId }, index) => ({
    key: `${index} ${at}`,
    title: t(`terms:status.${status}`),
    at,
    details: (
      <>
        <Text size="sm">
          {t(`terms:actor.${actor}`)}
          {actor === 'operator' && actorId != null && (
            <>
              : <Value>{nameOf(actorId)}</Value>
            </>
          )}
        </Text>
        {reason !== null && (
          <Text size="sm">
            <Value>{reason}</Value>
          </Text>
        )}
      </>
    ),
  }))
  return (
    <Section title={t('movement:history')}>
      <Timeline entries={entries} />
    </Section>
  )
}
