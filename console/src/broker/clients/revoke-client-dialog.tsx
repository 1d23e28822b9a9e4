import { Stack, Text, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { ActDialog } from '../../components/act-dialog.tsx'
import type { Client } from '../../entities/clients/all-clients.ts'

/** Asks for the name of the client, and revokes it. */
export function RevokeClientDialog(props: { readonly client: Client; readonly onClose: () => void }) {
  const { client, onClose } = props
  const { t } = useTranslation('clients')
  const navigate = useNavigate()
  const [name, setName] = useState('')
  return (
    <ActDialog
      title={t('revokeTitle', { name: client.name })}
      action={t('revoke')}
      isDestructive
      isDisabled={name.trim() !== client.name}
      act={() => api.clients.revoke(client['client-id'])}
      done={t('revoked', { name: client.name })}
      onDone={() => navigate({ to: '/clients' })}
      onClose={onClose}
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
    </ActDialog>
  )
}
