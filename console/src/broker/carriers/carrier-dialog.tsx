import { Modal, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Item } from '@vigencia/client'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { notifyDone } from '../../components/notify.ts'
import { fieldErrorsOf } from '../../forms/field-errors.ts'
import { FormFrame } from '../../forms/form-frame.tsx'
import { formatCnpj } from '../../../../src/kernel/tax-id.ts'

/** The registrations of a carrier. Its name is that of the products. */
export function CarrierDialog(props: { readonly carrier: Item<'listCarriers'>; readonly onClose: () => void }) {
  const { carrier, onClose } = props
  const { t } = useTranslation(['carriers', 'states'])
  const queryClient = useQueryClient()
  const form = useForm({
    initialValues: {
      'ans-registration': carrier['ans-registration'] ?? '',
      'tax-id': carrier['tax-id'] === null ? '' : formatCnpj(carrier['tax-id']),
    },
  })
  const save = useMutation({
    mutationFn: (values: typeof form.values) =>
      api.carriers.put(carrier['carrier-id'], {
        name: carrier.name,
        'ans-registration': values['ans-registration'].trim() || null,
        'tax-id': values['tax-id'].trim() || null,
      }),
    onError: (error) => form.setErrors(fieldErrorsOf(error, ['ans-registration', 'tax-id'])),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: ['listCarriers'] })
      notifyDone(t('carriers:carrierSaved', { name: carrier.name }))
      onClose()
    },
  })
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('carriers:editCarrierTitle', { name: carrier.name })}
      closeButtonProps={{ 'aria-label': t('states:close') }}
    >
      <FormFrame
        onSubmit={form.onSubmit((values) => save.mutate(values))}
        error={save.error}
        errors={form.errors}
        action={t('states:save')}
        isPending={save.isPending}
        onCancel={onClose}
      >
        <TextInput
          label={t('carriers:ansRegistration')}
          data-autofocus
          autoComplete="off"
          inputMode="numeric"
          {...form.getInputProps('ans-registration')}
        />
        <TextInput label={t('carriers:taxId')} autoComplete="off" {...form.getInputProps('tax-id')} />
      </FormFrame>
    </Modal>
  )
}
