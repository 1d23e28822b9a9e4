import { Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { notifyDone } from '../../components/notify.ts'
import type { Client } from './all-clients.ts'

/** Asks for the name of the client, and revokes it. */
export function RevokeClientDialog(props: {
  readonly opened: boolean
  readonly client: Client
  readonly onClose: () => void
}) {
  const { opened, client, onClose } = props
  const { t } = useTranslation('clients')
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const [name, setName] = useState('')
  const revoke = useMutation({
    mutationFn: () => api.clients.revoke(client['client-id']),
    onSuccess: async () => {
      notifyDone(t('revoked', { name: client.name }))
      await navigate({ to: '/clients' })
      await queryClient.invalidateQueries({ queryKey: ['listClients'] })
    },
  })
  return (
    <ConfirmDialog
      opened={opened}
      title={t('revokeTitle', { name: client.name })}
      action={t('revoke')}
      isPending={revoke.isPending}
      isDisabled={name.trim() !== client.name}
      error={revoke.error}
      onConfirm={() => revoke.mutate()}
      onClose={() => {
        revoke.reset()
        setName('')
        onClose()
      }}
    >
      <Stack>
        <Text size="sm">{t('revokeExplanation')}</Text>
        <TextInput
          label={t('typeName', { name: client.name })}
          autoComplete="off"
          value={name}
          onChange={({ currentTarget: { value } }) => setName(value)}
        />
      </Stack>
    </ConfirmDialog>
  )
}
