import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Timeline } from '../../components/timeline.tsx'
import { TimestampValue, Value } from '../../components/value.tsx'
import { useOperatorNames } from '../../entities/decisions/use-operator-names.ts'
import type { Movement } from './comparison.ts'
import { FieldName } from '../../components/field-name.tsx'
import { FieldValue } from '../../components/field-value.tsx'
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
      <Corrections movement={movement} />
    </Section>
  )
}

/** What was corrected of the benefit since. */
function Corrections({ movement }: { readonly movement: Movement }) {
  const { t } = useTranslation('review')
  const nameOf = useOperatorNames()
  if (movement.corrections.length === 0) return null
  return (
    <>
      <Text size="sm" fw={600} mt="sm">
        {t('corrections')}
      </Text>
      {movement.corrections.map(({ at, field, old, new: changed, reason, 'actor-id': actorId }) => (
        <div key={`${at} ${field}`}>
          <Text size="sm">
            <FieldName field={field} />: <FieldValue name={field} value={old} /> <Value>→</Value>{' '}
            <FieldValue name={field} value={changed} />
          </Text>
          <Text size="xs" c="dimmed">
            <TimestampValue value={at} /> · <Value>{nameOf(actorId)}</Value> · <Value>{reason}</Value>
          </Text>
        </div>
      ))}
    </>
  )
}
