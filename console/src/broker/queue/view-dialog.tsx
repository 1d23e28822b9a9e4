import { Text, TextInput } from '@mantine/core'
import type { UseMutationResult } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { MAX_VIEW_NAME_CHARACTERS } from '../../../../src/movements/rules/view.ts'
import type { PutView } from './view-filters.ts'
import type { View } from './view-tabs.tsx'
import { FormDialog, useFormDialog } from '../../forms/form-dialog.tsx'
import { required } from '../../forms/required.ts'

/** The name of a view that is created or renamed. */
export function ViewDialog(props: {
  readonly view: PutView
  readonly put: UseMutationResult<View, Error, PutView>
  readonly onClose: () => void
}) {
  const { view, put, onClose } = props
  const { t } = useTranslation(['queue', 'states'])
  const dialog = useFormDialog({
    initialValues: { name: view.name },
    validate: required(['name'], t('queue:views.nameless')),
    send: ({ name }) => put.mutateAsync({ ...view, name: name.trim() }),
    onSent: onClose,
    onClose,
  })
  return (
    <FormDialog
      dialog={dialog}
      title={view.id === null ? t('queue:views.create') : t('queue:views.rename')}
      action={t('states:save')}
    >
      {view.id === null && <Text size="sm">{t('queue:views.hint')}</Text>}
      <TextInput
        label={t('queue:views.name')}
        maxLength={MAX_VIEW_NAME_CHARACTERS}
        autoComplete="off"
        data-autofocus
        {...dialog.form.getInputProps('name')}
      />
    </FormDialog>
  )
}
