import { Modal, Radio, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { notifyDone } from '../../components/notify.ts'
import { fieldErrorsOf } from '../../forms/field-errors.ts'
import { FormFrame } from '../../forms/form-frame.tsx'
import { required } from '../../forms/required.ts'
import { CompanySelect } from '../../entities/companies/company-select.tsx'

const kinds = ['tax-id', 'company-tax-id'] as const

interface Values {
  /** Whom it is on: a person or a company. */
  readonly of: (typeof kinds)[number]
  readonly 'tax-id': string
  readonly 'company-tax-id': string | null
  readonly reason: string
}

/** Asks why nothing may be deleted, and of whom unless the person is given, and sets the legal hold. */
export function HoldDialog({ taxId = '', onClose }: { readonly taxId?: string; readonly onClose: () => void }) {
  const { t } = useTranslation(['erasure', 'states'])
  const queryClient = useQueryClient()
  const form = useForm<Values>({
    initialValues: { of: 'tax-id', 'tax-id': taxId, 'company-tax-id': null, reason: '' },
    validate: {
      ...required(['reason'], t('states:required')),
      'tax-id': (value, { of }) => (of === 'tax-id' && value.trim() === '' ? t('states:required') : null),
      'company-tax-id': (value, { of }) => (of === 'company-tax-id' && value === null ? t('states:required') : null),
    },
  })
  const { of } = form.values
  const set = useMutation({
    mutationFn: (values: Values) => api.legalHolds.create({ [of]: values[of] ?? '', reason: values.reason.trim() }),
    onError: (error) => form.setErrors(fieldErrorsOf(error, ['tax-id', 'company-tax-id', 'reason'])),
    onSuccess: async () => {
      notifyDone(t('erasure:hold.setDone'))
      onClose()
      await queryClient.invalidateQueries()
    },
  })
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('erasure:hold.set')}
      closeButtonProps={{ 'aria-label': t('states:close') }}
      closeOnClickOutside={!form.isDirty()}
    >
      <FormFrame
        onSubmit={form.onSubmit((values) => set.mutate(values))}
        error={set.error}
        errors={form.errors}
        action={t('erasure:hold.set')}
        isPending={set.isPending}
        onCancel={onClose}
      >
        {taxId === '' && (
          <Radio.Group label={t('erasure:hold.of')} {...form.getInputProps('of')}>
            <Stack gap="xs" mt={4}>
              {kinds.map((kind) => (
                <Radio key={kind} value={kind} label={t(`erasure:hold.kinds.${kind}`)} />
              ))}
            </Stack>
          </Radio.Group>
        )}
        {taxId === '' && of === 'tax-id' && (
          <TextInput
            label={t('erasure:hold.cpf')}
            required
            autoComplete="off"
            inputMode="numeric"
            {...form.getInputProps('tax-id')}
          />
        )}
        {of === 'company-tax-id' && (
          <CompanySelect
            label={t('erasure:company')}
            required
            value={form.values['company-tax-id']}
            onChange={(company) => form.setFieldValue('company-tax-id', company)}
            error={form.errors['company-tax-id'] as string | undefined}
          />
        )}
        <Text size="sm">{t(`erasure:hold.setText.${of}`)}</Text>
        <Textarea
          label={t('erasure:hold.reason')}
          description={t('erasure:hold.reasonText')}
          required
          maxLength={500}
          autosize
          minRows={2}
          {...form.getInputProps('reason')}
        />
      </FormFrame>
    </Modal>
  )
}
