import { Group, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Badge } from '../../components/badge.tsx'
import { operatorAccounts } from '../../entities/accounts/accounts.ts'
import { EndFormerDialog, RotateDialog } from '../../entities/accounts/secret-actions.tsx'
import { DateValue, TextValue } from '../../components/value.tsx'
import { column, date, side, text } from '../../lists/columns.tsx'
import { useSession } from '../../session/session.ts'
import { usePermission } from '../../session/use-permission.ts'
import { CreateOperatorDialog } from './create-operator-dialog.tsx'
import { EndSessionsDialog, RemoveDialog } from './end-dialogs.tsx'
import { type OperatorAction, OperatorMenu } from './operator-menu.tsx'
import { RoleDialog } from './role-dialog.tsx'
import type { Operator } from './operator.ts'
import { listPage } from '../../lists/list-page.tsx'
import { DialogButton } from '../../components/dialog.tsx'

const List = listPage('listOperators')

export function OperatorsPage() {
  const { t } = useTranslation(['operators', 'accounts', 'terms'])
  const mayWrite = usePermission('createOperator')
  const ownId = useSession()?.['client-id']
  // The operator stays while its dialog fades out.
  const [target, setTarget] = useState<Operator | null>(null)
  const [action, setAction] = useState<OperatorAction | null>(null)
  const choose = (operator: Operator, chosen: OperatorAction) => {
    setTarget(operator)
    setAction(chosen)
  }
  const close = () => setAction(null)
  const isSelf = target?.['client-id'] === ownId
  return (
    <List
      title={t('operators:title')}
      actions={
        mayWrite && (
          <DialogButton dialog={(close) => <CreateOperatorDialog onClose={close} />}>
            {t('operators:create')}
          </DialogButton>
        )
      }
      columns={[
        column(t('accounts:name'), 'minmax(12rem, 2fr)', (operator) => (
          <Group gap="xs" wrap="nowrap">
            <Text span inherit truncate title={operator.name} translate="no">
              <TextValue value={operator.name} />
            </Text>
            {operator['client-id'] === ownId && <Badge color="blue">{t('operators:you')}</Badge>}
          </Group>
        )),
        column(t('operators:role'), '9rem', ({ role }) => t(`terms:role.${role}`)),
        // The newest.
        column(t('accounts:secrets'), '10rem', ({ secrets }) => (
          <Group gap="xs" wrap="nowrap">
            <DateValue value={secrets.at(-1)?.['created-at']} />
            {secrets.length > 1 && <Badge color="orange">{t('operators:twoSecrets')}</Badge>}
          </Group>
        )),
        date(t('accounts:createdAt'), 'created-at', '8rem'),
        text(t('accounts:clientId'), 'client-id', '21rem'),
        side(t('accounts:actions'), '5rem', (operator) => (
          <OperatorMenu
            operator={operator}
            isSelf={operator['client-id'] === ownId}
            onChoose={(chosen) => choose(operator, chosen)}
          />
        )),
      ]}
      idOf={(operator) => operator['client-id']}
    >
      {target !== null && (
        <>
          {action === 'role' && <RoleDialog operator={target} isSelf={isSelf} onClose={close} />}
          <RotateDialog opened={action === 'rotate'} account={target} operations={operatorAccounts} onClose={close} />
          {action === 'endFormer' && <EndFormerDialog account={target} operations={operatorAccounts} onClose={close} />}
          {action === 'endSessions' && <EndSessionsDialog operator={target} isSelf={isSelf} onClose={close} />}
          {action === 'remove' && <RemoveDialog operator={target} isSelf={isSelf} onClose={close} />}
        </>
      )}
    </List>
  )
}
