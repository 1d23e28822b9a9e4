import { Button, Group, Modal, Stack } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { ErrorMessage } from '../../components/error-message.tsx'
import { notifyDone } from '../../components/notify.ts'
import type { Client } from '../../entities/clients/all-clients.ts'
import { CompanyPicker } from '../../entities/companies/company-picker.tsx'

/** Asks for companies, and entitles the client to them. What is granted before an error stays granted. */
export function GrantDialog(props: {
  readonly opened: boolean
  readonly client: Client
  readonly onClose: () => void
}) {
  const { opened, client, onClose } = props
  const { t } = useTranslation(['clients', 'states'])
  const queryClient = useQueryClient()
  const [taxIds, setTaxIds] = useState<readonly string[]>([])
  const grant = useMutation({
    mutationFn: async () => {
      for (const taxId of taxIds) {
        await api.clients.grantCompany(client['client-id'], taxId)
        setTaxIds((remaining) => remaining.filter((one) => one !== taxId))
      }
      return taxIds.length
    },
    onSuccess: (count) => {
      notifyDone(t('clients:granted', { count }))
      onClose()
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['listClients'] }),
  })
  const close = () => {
    grant.reset()
    setTaxIds([])
    onClose()
  }
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={t('clients:grantTitle', { name: client.name })}
      size="lg"
      closeButtonProps={{ 'aria-label': t('states:close') }}
      closeOnClickOutside={taxIds.length === 0}
    >
      <Stack>
        <CompanyPicker
          label={t('clients:companies')}
          value={taxIds}
          onChange={setTaxIds}
          excluded={client['company-tax-ids']}
          isFirst
        />
        {grant.error !== null && <ErrorMessage error={grant.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            {t('states:cancel')}
          </Button>
          <Button disabled={taxIds.length === 0} loading={grant.isPending} onClick={() => grant.mutate()}>
            {t('clients:grantAction')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
