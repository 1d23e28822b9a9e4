import { Select, Textarea, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { SUBJECT_REQUEST_KINDS, type SubjectRequestKind } from '../../../../src/kernel/broker-enums.ts'
import { api } from '../../api/client.ts'
import { DayInput } from '../../forms/fields.tsx'
import { FormDialog, useFormDialog } from '../../forms/form-dialog.tsx'
import { required } from '../../forms/required.ts'
import type { SubjectRequest } from './subject-request.ts'

interface Values {
  readonly 'tax-id': string
  readonly kind: SubjectRequestKind
  readonly 'received-on': string | null
  readonly note: string
}

/** Asks who asks for what, and opens the request. */
export function CreateDialog({ opened, onClose }: { readonly opened: boolean; readonly onClose: () => void }) {
  const { t } = useTranslation(['personalData', 'terms', 'states'])
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const dialog = useFormDialog<Values, SubjectRequest>({
    initialValues: { 'tax-id': '', kind: 'access', 'received-on': null, note: '' },
    validate: required(['tax-id'], t('states:required')),
    send: ({ note, 'received-on': receivedOn, ...values }) =>
      api.subjectRequests.create({
        ...values,
        ...(receivedOn === null ? {} : { 'received-on': receivedOn }),
        ...(note.trim() === '' ? {} : { note: note.trim() }),
      }),
    onSent: (made, close) => {
      close()
      void queryClient.invalidateQueries({ queryKey: ['listSubjectRequests'] })
      void navigate({
        to: '/personal-data/$subjectRequestId',
        params: { subjectRequestId: made['subject-request-id'] },
      })
    },
    onClose,
  })
  const { form } = dialog
  return (
    <FormDialog dialog={dialog} opened={opened} title={t('personalData:createTitle')} action={t('personalData:create')}>
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
      <DayInput
        form={form}
        name="received-on"
        label={t('personalData:receivedOn')}
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
    </FormDialog>
  )
}
