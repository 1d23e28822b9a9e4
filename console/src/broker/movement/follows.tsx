import { Alert, List } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { isTerminal } from '../../../../src/coverage/rules/enrollment-status.ts'
import type { Movement } from './comparison.ts'

/** What a decision on a primary means for the dependents, before it is made. */
export function Follows({ movement }: { readonly movement: Movement }) {
  const { t } = useTranslation(['review', 'terms'])
  const { family, status, 'enrollment-type': type, 'benefit-id': benefitId } = movement
  const own = family.find(({ benefit }) => benefit['benefit-id'] === benefitId)
  if (own?.benefit.type !== 'primary' || isTerminal(status) || type === 'alteration') return null
  const followed = type === 'exclusion' ? 'active' : 'pending'
  const dependents = family.filter(
    ({ benefit }) =>
      benefit.type === 'dependent' &&
      benefit.status === followed &&
      benefit['product-id'] === own.benefit['product-id'],
  )
  if (dependents.length === 0) return null
  return (
    <Alert color="blue" title={t('review:follows')} mb="md" p="xs">
      <List size="sm">
        {dependents.map(({ name, benefit }) => {
          const relation = t(`terms:dependentType.${benefit['dependent-type'] ?? 'other'}`).toLowerCase()
          return (
            <List.Item key={benefit['benefit-id']} translate="no">
              {t(type === 'exclusion' ? 'review:leaves' : 'review:isRejected', { name, relation })}
            </List.Item>
          )
        })}
      </List>
    </Alert>
  )
}
