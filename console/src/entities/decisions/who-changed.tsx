import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useOperation } from '../../api/use-operation.ts'
import { Value } from '../../components/value.tsx'
import { formatTimestamp } from '../../format/date.ts'
import { useOperatorNames } from './use-operator-names.ts'

/** Who gave a movement its present status, when and why, read again from its history. */
export function WhoChanged({ id }: { readonly id: string }) {
  const { t } = useTranslation(['decisions', 'terms'])
  const nameOf = useOperatorNames()
  const last = useOperation('readMovement', { path: [id] }).data?.result.history.at(-1)
  if (last === undefined) return null
  const { status, actor, at, reason } = last
  const operator = actor === 'operator' ? last['actor-id'] : null
  const words = {
    status: t(`terms:status.${status}`),
    actor: operator == null ? t(`terms:actor.${actor}`) : nameOf(operator),
    at: formatTimestamp(at),
    reason: reason ?? '',
  }
  return (
    <Text size="sm" component="span">
      <Value>{reason === null ? t('decisions:changedBy', words) : t('decisions:changedByReason', words)}</Value>
    </Text>
  )
}
