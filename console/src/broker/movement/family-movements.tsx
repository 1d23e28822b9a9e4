import { Group, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useOperation } from '../../api/use-operation.ts'
import { TextLink } from '../../components/link.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { TimestampValue, Value } from '../../components/value.tsx'
import { typeTerm } from '../../format/movement-type.ts'
import type { Movement } from './comparison.ts'
import { Section } from './section.tsx'

/** The people whose movements are asked for: one call each. */
const maxPeople = 8
const perPerson = 10

/** The other movements of the person and the family in the company, each with a link. */
export function FamilyMovements({ movement }: { readonly movement: Movement }) {
  const { t } = useTranslation('review')
  const people = [movement['member-id'], ...movement.family.map((relative) => relative['member-id'])]
  return (
    <Section title={t('familyMovements')} className="no-print">
      {[...new Set(people)].slice(0, maxPeople).map((memberId) => (
        <MovementsOf key={memberId} memberId={memberId} movement={movement} />
      ))}
    </Section>
  )
}

function MovementsOf({ memberId, movement }: { readonly memberId: string; readonly movement: Movement }) {
  const { t } = useTranslation(['movement', 'terms'])
  const query = { 'member-id': memberId, 'company-tax-id': movement['company-tax-id'], 'items-per-page': perPerson }
  const list = useOperation('listEnrollmentQueue', { query })
  const others = list.data?.result.filter(({ id }) => id !== movement.id) ?? []
  return others.map((one) => (
    <Group key={one.id} gap="xs" mb={4}>
      <TextLink to="/queue/$enrollmentId" params={{ enrollmentId: one.id }}>
        {t(typeTerm(one['enrollment-type'], one['alteration-kind']))}: <Value>{one['member-name']}</Value>
      </TextLink>
      <StatusBadge status={one.status} />
      <Text size="sm" c="dimmed">
        <Value>{one['product-name']}</Value> · <TimestampValue value={one['created-at']} />
      </Text>
    </Group>
  ))
}
