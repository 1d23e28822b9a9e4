import { Modal, Select, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { SUBJECT_REQUEST_KINDS, type SubjectRequestKind } from '../../../../src/kernel/operator-enums.ts'
import { api } from '../../api/client.ts'
import { DateField } from '../../components/date-field.tsx'
import { fieldErrorsOf } from '../../forms/field-errors.ts'
import { FormFrame } from '../../forms/form-frame.tsx'
import { required } from '../../forms/required.ts'

interface Values {
  readonly 'tax-id': string
  readonly kind: SubjectRequestKind
  readonly 'received-on': string
  readonly note: string
}

/** Asks who asks for what, and opens the request. */
export function CreateDialog({ opened, onClose }: { readonly opened: boolean; readonly onClose: () => void }) {
  const { t } = useTranslation(['personalData', 'terms', 'states'])
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const form = useForm<Values>({
    initialValues: { 'tax-id': '', kind: 'access', 'received-on': '', note: '' },
    validate: required(['tax-id'], t('states:required')),
  })
  const create = useMutation({
    mutationFn: ({ note, 'received-on': receivedOn, ...values }: Values) =>
      api.subjectRequests.create({
        ...values,
        ...(receivedOn === '' ? {} : { 'received-on': receivedOn }),
        ...(note.trim() === '' ? {} : { note: note.trim() }),
      }),
    onError: (error) => form.setErrors(fieldErrorsOf(error, ['tax-id', 'received-on', 'note'])),
    onSuccess: (made) => {
      close()
      void queryClient.invalidateQueries({ queryKey: ['listSubjectRequests'] })
      void navigate({
        to: '/personal-data/$subjectRequestId',
        params: { subjectRequestId: made['subject-request-id'] },
      })
    },
  })
  const close = () => {
    create.reset()
    form.reset()
    onClose()
  }
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={t('personalData:createTitle')}
      closeButtonProps={{ 'aria-label': t('states:close') }}
      closeOnClickOutside={!form.isDirty()}
    >
      <FormFrame
        onSubmit={form.onSubmit((values) => create.mutate(values))}
        error={create.error}
        errors={form.errors}
        action={t('personalData:create')}
        isPending={create.isPending}
        onCancel={close}
      >
        <TextInput
          label={t('personalData:cpf')}
          required
          data-autofocus
          autoComplete="off"
          inputMode="numeric"
          {...form.getInputProps('tax-id')}
        />
        <Select
          label={t('personalData:kind')}
          allowDeselect={false}
          data={SUBJECT_REQUEST_KINDS.map((value) => ({ value, label: t(`terms:subjectRequestKind.${value}`) }))}
          {...form.getInputProps('kind')}
        />
        <DateField
          label={t('personalData:receivedOn')}
          value={form.values['received-on'] === '' ? null : form.values['received-on']}
          onChange={(day) => form.setFieldValue('received-on', day ?? '')}
          error={form.errors['received-on'] as string | undefined}
          description={t('personalData:dueText')}
        />
        <Textarea
          label={t('personalData:note')}
          description={t('personalData:noteText')}
          maxLength={2_000}
          autosize
          minRows={2}
          {...form.getInputProps('note')}
        />
      </FormFrame>
    </Modal>
  )
}
