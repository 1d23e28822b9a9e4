import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import type { UseMutationResult } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { MAX_VIEW_NAME_CHARACTERS } from '../../../../src/movements/rules/view.ts'
import { ErrorMessage } from '../../components/error-message.tsx'
import { focusFirst } from '../../entities/decisions/focus-first.ts'
import type { PutView } from './view-filters.ts'
import type { View } from './view-tabs.tsx'

/** The name of a view that is created or renamed. */
export function ViewDialog(props: {
  readonly view: PutView
  readonly put: UseMutationResult<View, Error, PutView>
  readonly onClose: () => void
}) {
  const { view, put, onClose } = props
  const { t } = useTranslation(['queue', 'states'])
  const [isNameless, setIsNameless] = useState(false)
  return (
    <Modal
      opened
      onClose={onClose}
      title={view.id === null ? t('queue:views.create') : t('queue:views.rename')}
      closeButtonProps={{ 'aria-label': t('states:close') }}
    >
      <form
        ref={focusFirst}
        onSubmit={(event) => {
          event.preventDefault()
          const name = new FormData(event.currentTarget).get('name')
          const text = typeof name === 'string' ? name.trim() : ''
          setIsNameless(text === '')
          if (text !== '') put.mutate({ ...view, name: text }, { onSuccess: onClose })
        }}
      >
        <Stack>
          {view.id === null && <Text size="sm">{t('queue:views.hint')}</Text>}
          <TextInput
            name="name"
            label={t('queue:views.name')}
            defaultValue={view.name}
            maxLength={MAX_VIEW_NAME_CHARACTERS}
            autoComplete="off"
            error={isNameless && t('queue:views.nameless')}
            data-autofocus
          />
          {put.error !== null && <ErrorMessage error={put.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('states:cancel')}
            </Button>
            <Button type="submit" loading={put.isPending}>
              {t('states:save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
