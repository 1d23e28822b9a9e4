import { Button, CloseButton, Group, Menu, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Value } from '../../components/value.tsx'
import { useOperators } from '../../entities/decisions/use-operator-names.ts'
import type { Target } from '../../entities/decisions/decision.ts'
import { formatNumber } from '../../format/number.ts'
import { isPermitted } from '../../session/permissions.ts'
import { useSession } from '../../session/session.ts'

/** What can be done with the selected movements. */
export function SelectionBar(props: {
  readonly count: number
  /** All that the filters select; null while it is not known. */
  readonly total: number | null
  readonly isSelectingAll: boolean
  readonly onSelectAll: () => void
  readonly onDecide: (target: Target) => void
  readonly onCardNumbers: () => void
  /** Without an operator: to oneself. */
  readonly onAssign: (assignee?: string) => void
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
      <Button size="xs" disabled={props.isSelectingAll} onClick={() => props.onDecide('completed')}>
        {t('decisions:action.completed')}
      </Button>
      <Button size="xs" variant="default" disabled={props.isSelectingAll} onClick={() => props.onDecide('rejected')}>
        {t('decisions:action.rejected')}
      </Button>
      <Button
        size="xs"
        variant="default"
        disabled={props.isSelectingAll}
        onClick={() => props.onDecide('pending-documents')}
      >
        {t('decisions:action.pending-documents')}
      </Button>
      <Button
        size="xs"
        variant="default"
        disabled={props.isSelectingAll}
        onClick={() => props.onDecide('carrier-processing')}
      >
        {t('decisions:action.carrier-processing')}
      </Button>
      <Button size="xs" variant="default" disabled={props.isSelectingAll} onClick={props.onCardNumbers}>
        {t('queue:selection.cardNumbers')}
      </Button>
      <Button size="xs" variant="default" disabled={props.isSelectingAll} onClick={() => props.onAssign()}>
        {t('queue:selection.assign')}
      </Button>
      <ColleagueMenu isDisabled={props.isSelectingAll} onAssign={props.onAssign} />
      <CloseButton ms="auto" aria-label={t('queue:selection.clear')} onClick={props.onClear} />
    </Group>
  )
}

/** The most that are selected at once: more are better decided by a file. */
export const maxSelection = 5_000

/** The others who may work on movements. */
function ColleagueMenu(props: { readonly isDisabled: boolean; readonly onAssign: (assignee: string) => void }) {
  const { isDisabled, onAssign } = props
  const { t } = useTranslation('queue')
  const me = useSession()?.['client-id']
  const colleagues = (useOperators() ?? []).filter(
    (one) => one['client-id'] !== me && isPermitted(one, 'moveEnrollment'),
  )
  if (colleagues.length === 0) return null
  return (
    <Menu position="top-start">
      <Menu.Target>
        <Button size="xs" variant="default" disabled={isDisabled}>
          {t('selection.assignTo')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah="50vh" style={{ overflowY: 'auto' }}>
        {colleagues.map((one) => (
          <Menu.Item key={one['client-id']} onClick={() => onAssign(one['client-id'])}>
            <Value>{one.name}</Value>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
