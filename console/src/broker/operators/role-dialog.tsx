import { Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { ActDialog } from '../../components/act-dialog.tsx'
import { RoleField } from '../../entities/accounts/role-field.tsx'
import { type Operator, roles } from './operator.ts'

/** Asks for the new role of an operator. */
export function RoleDialog(props: {
  readonly operator: Operator
  readonly isSelf: boolean
  readonly onClose: () => void
}) {
  const { operator, isSelf, onClose } = props
  const { t } = useTranslation(['operators', 'terms'])
  const [role, setRole] = useState(operator.role)
  return (
    <ActDialog
      title={t('operators:roleTitle', { name: operator.name })}
      action={t('operators:changeRole')}
      isDisabled={role === operator.role}
      act={() => api.operators.changeRole(operator['client-id'], { role })}
      done={(changed) => t('operators:roleChanged', { name: changed.name, role: t(`terms:role.${changed.role}`) })}
      onClose={onClose}
    >
      {isSelf && (
        <Text size="sm" fw={600}>
          {t('operators:ownRole')}
        </Text>
      )}
      <RoleField roles={roles} value={role} onChange={setRole} />
      <Text size="sm">{t('operators:roleAtOnce')}</Text>
    </ActDialog>
  )
}
