import { ActionIcon, Menu } from '@mantine/core'
import IconDots from 'icon:dots'
import { useTranslation } from 'react-i18next'
import { usePermission } from '../../session/use-permission.ts'
import type { Operator } from './operator.ts'

export type OperatorAction = 'role' | 'rotate' | 'endFormer' | 'endSessions' | 'remove'

/** What may be done with an operator: everything by an admin; by others, ending their own sessions. */
export function OperatorMenu(props: {
  readonly operator: Operator
  readonly isSelf: boolean
  readonly onChoose: (action: OperatorAction) => void
}) {
  const { operator, isSelf, onChoose } = props
  const { t } = useTranslation(['operators', 'accounts'])
  const mayWrite = usePermission('createOperator')
  if (!mayWrite && !isSelf) return null
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="default" size="sm" aria-label={t('accounts:actionsOf', { name: operator.name })}>
          <IconDots size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {mayWrite && !operator['is-person'] && (
          <>
            <Menu.Item onClick={() => onChoose('role')}>{t('operators:changeRole')}</Menu.Item>
            <Menu.Item onClick={() => onChoose('rotate')}>{t('accounts:rotate')}</Menu.Item>
          </>
        )}
        {mayWrite && operator.secrets.length > 1 && (
          <Menu.Item onClick={() => onChoose('endFormer')}>{t('accounts:endFormer')}</Menu.Item>
        )}
        <Menu.Item onClick={() => onChoose('endSessions')}>{t('operators:endSessions')}</Menu.Item>
        {mayWrite && !operator['is-person'] && (
          <>
            <Menu.Divider />
            <Menu.Item color="red" onClick={() => onChoose('remove')}>
              {t('operators:remove')}
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
