import { TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import type { Item } from '@vigencia/client'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { notifyDone } from '../../components/notify.ts'
import { FormDialog, useFormDialog } from '../../forms/form-dialog.tsx'
import { formatCnpj } from '../../../../src/kernel/tax-id.ts'

/** The registrations of a carrier. Its name is that of the products. */
export function CarrierDialog(props: { readonly carrier: Item<'listCarriers'>; readonly onClose: () => void }) {
  const { carrier, onClose } = props
  const { t } = useTranslation(['carriers', 'states'])
  const queryClient = useQueryClient()
  const dialog = useFormDialog({
    initialValues: {
      'ans-registration': carrier['ans-registration'] ?? '',
      'tax-id': carrier['tax-id'] === null ? '' : formatCnpj(carrier['tax-id']),
    },
    send: (values) =>
      api.carriers.put(carrier['carrier-id'], {
        name: carrier.name,
        'ans-registration': values['ans-registration'].trim() || null,
        'tax-id': values['tax-id'].trim() || null,
      }),
    onSent: async (_, close) => {
      await queryClient.invalidateQueries({ queryKey: ['listCarriers'] })
      notifyDone(t('carriers:carrierSaved', { name: carrier.name }))
      close()
    },
    onClose,
  })
  const { form } = dialog
  return (
    <FormDialog
      dialog={dialog}
      title={t('carriers:editCarrierTitle', { name: carrier.name })}
      action={t('states:save')}
    >
      <TextInput
        label={t('carriers:ansRegistration')}
        data-autofocus
        autoComplete="off"
        inputMode="numeric"
        {...form.getInputProps('ans-registration')}
      />
      <TextInput label={t('carriers:taxId')} autoComplete="off" {...form.getInputProps('tax-id')} />
    </FormDialog>
  )
}
