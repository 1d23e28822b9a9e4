import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { DateValue, Value } from '../../components/value.tsx'
import type { Movement } from './comparison.ts'
import { Fact } from './facts.tsx'
import { Section } from './section.tsx'

/** The days that the norms give the movement, and whether the carrier may set a waiting period. */
export function Deadlines({ movement }: { readonly movement: Movement }) {
  const { t } = useTranslation('deadlines')
  const deadlines = movement.deadlines ?? []
  const waiting = movement['waiting-period'] ?? null
  if (deadlines.length === 0 && waiting === null) return null
  return (
    <Section title={t('title')}>
      <dl className="facts">
        {deadlines.map(({ kind, until, norm }) => (
          <Fact key={kind} label={t(`kind.${kind}`)}>
            <DateValue value={until} /> · <Value>{norm}</Value>
          </Fact>
        ))}
        {waiting !== null && (
          <Fact label={t('waitingPeriod')}>
            {t(`waitingStatus.${waiting.status}`)}: {t(`waitingReason.${waiting.reason}`)}
            {waiting['last-day-for-exemption'] !== null && (
              <>
                {' · '}
                {t('exemptUntil')} <DateValue value={waiting['last-day-for-exemption']} />
              </>
            )}
          </Fact>
        )}
      </dl>
      <Text size="xs" c="dimmed" mt={4}>
        {t('calculated')}
      </Text>
    </Section>
  )
}
