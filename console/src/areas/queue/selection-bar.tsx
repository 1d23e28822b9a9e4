import { Button, CloseButton, Group, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Target } from '../../decisions/decision.ts'
import { formatNumber } from '../../format/number.ts'

/** What can be done with the selected movements. */
export function SelectionBar(props: {
  readonly count: number
  /** All that the filters select; null while it is not known. */
  readonly total: number | null
  readonly isSelectingAll: boolean
  readonly onSelectAll: () => void
  readonly onDecide: (target: Target) => void
  readonly onCardNumbers: () => void
  readonly onAssign: () => void
  readonly onClear: () => void
}) {
  const { t } = useTranslation(['queue', 'decisions'])
  const { count, total } = props
  if (count === 0) return null
  return (
    <Group className="queue-actions no-print" gap="xs" mt="xs" role="region" aria-label={t('queue:selection.title')}>
      <Text size="sm" fw={600} role="status">
        {t('queue:selection.count', { count, formatted: formatNumber(count) })}
      </Text>
      {total !== null && count < total && (
        <Button size="xs" variant="default" loading={props.isSelectingAll} onClick={props.onSelectAll}>
          {t('queue:selection.all', {
            count: Math.min(total, maxSelection),
            formatted: formatNumber(Math.min(total, maxSelection)),
          })}
        </Button>
      )}
      <Button size="xs" onClick={() => props.onDecide('completed')}>
        {t('decisions:action.completed')}
      </Button>
      <Button size="xs" variant="default" onClick={() => props.onDecide('rejected')}>
        {t('decisions:action.rejected')}
      </Button>
      <Button size="xs" variant="default" onClick={() => props.onDecide('pending-documents')}>
        {t('decisions:action.pending-documents')}
      </Button>
      <Button size="xs" variant="default" onClick={() => props.onDecide('carrier-processing')}>
        {t('decisions:action.carrier-processing')}
      </Button>
      <Button size="xs" variant="default" onClick={props.onCardNumbers}>
        {t('queue:selection.cardNumbers')}
      </Button>
      <Button size="xs" variant="default" onClick={props.onAssign}>
        {t('queue:selection.assign')}
      </Button>
      <CloseButton ms="auto" aria-label={t('queue:selection.clear')} onClick={props.onClear} />
    </Group>
  )
}

/** The most that are selected at once: more are better decided by a file. */
export const maxSelection = 5_000
