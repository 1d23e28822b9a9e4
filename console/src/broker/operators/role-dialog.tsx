import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { sessionKey } from '../../api/session-key.ts'
import { ErrorMessage } from '../../components/error-message.tsx'
import { notifyDone } from '../../components/notify.ts'
import { type Operator, type Role, RoleField } from './role-field.tsx'

/** Asks for the new role of an operator. */
export function RoleDialog(props: {
  readonly opened: boolean
  readonly operator: Operator
  readonly isSelf: boolean
  readonly onClose: () => void
}) {
  const { opened, operator, isSelf, onClose } = props
  const { t } = useTranslation(['operators', 'states', 'terms'])
  const queryClient = useQueryClient()
  const [chosen, setChosen] = useState<Role | null>(null)
  const change = useMutation({
    mutationFn: (role: Role) => api.operators.changeRole(operator['client-id'], { role }),
    onSuccess: async ({ name, role }) => {
      notifyDone(t('operators:roleChanged', { name, role: t(`terms:role.${role}`) }))
      close()
      await queryClient.invalidateQueries({ queryKey: ['listOperators'] })
      if (isSelf) await queryClient.invalidateQueries({ queryKey: sessionKey })
    },
  })
  const close = () => {
    change.reset()
    setChosen(null)
    onClose()
  }
  const role = chosen ?? operator.role
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={t('operators:roleTitle', { name: operator.name })}
      closeButtonProps={{ 'aria-label': t('states:close') }}
    >
      <Stack>
        {isSelf && (
          <Text size="sm" fw={600}>
            {t('operators:ownRole')}
          </Text>
        )}
        <RoleField value={role} onChange={setChosen} />
        <Text size="sm">{t('operators:roleAtOnce')}</Text>
        {change.error !== null && <ErrorMessage error={change.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            {t('states:cancel')}
          </Button>
          <Button disabled={role === operator.role} loading={change.isPending} onClick={() => change.mutate(role)}>
            {t('operators:changeRole')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
