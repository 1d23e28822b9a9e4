import { Radio, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { notifyDone } from '../../components/notify.ts'
import { FormDialog, useFormDialog } from '../../forms/form-dialog.tsx'
import { required } from '../../forms/required.ts'
import { CompanyInput } from '../../forms/fields.tsx'

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
  const dialog = useFormDialog<Values, unknown>({
    initialValues: { of: 'tax-id', 'tax-id': taxId, 'company-tax-id': null, reason: '' },
    validate: {
      ...required(['reason'], t('states:required')),
      'tax-id': (value, { of: kind }) => (kind === 'tax-id' && value.trim() === '' ? t('states:required') : null),
      'company-tax-id': (value, { of: kind }) =>
        kind === 'company-tax-id' && value === null ? t('states:required') : null,
    },
    send: (values) => api.legalHolds.create({ [values.of]: values[values.of] ?? '', reason: values.reason.trim() }),
    onSent: async (_, close) => {
      notifyDone(t('erasure:hold.setDone'))
      close()
      await queryClient.invalidateQueries()
    },
    onClose,
  })
  const { form } = dialog
  const { of } = form.values
  return (
    <FormDialog dialog={dialog} title={t('erasure:hold.set')} action={t('erasure:hold.set')}>
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
        <CompanyInput form={form} name="company-tax-id" label={t('erasure:company')} required />
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
    </FormDialog>
  )
}
