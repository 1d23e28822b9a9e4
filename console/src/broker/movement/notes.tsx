import { Button, Stack, Text, Textarea } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { useOperation } from '../../api/use-operation.ts'
import { ErrorMessage } from '../../components/error-message.tsx'
import { notifyDone } from '../../components/notify.ts'
import { QueryView } from '../../components/state-view.tsx'
import { TimestampValue, Value } from '../../components/value.tsx'
import { useOperatorNames } from '../../entities/decisions/use-operator-names.ts'
import { usePermission } from '../../session/use-permission.ts'
import { Section } from './section.tsx'

const maxCharacters = 2_000

/** The notes of operators, which partners never see, and a field for another. */
export function Notes({ enrollmentId }: { readonly enrollmentId: string }) {
  const { t } = useTranslation('movement')
  const nameOf = useOperatorNames()
  const mayWrite = usePermission('addEnrollmentNote')
  const notes = useOperation('listEnrollmentNotes', { path: [enrollmentId], query: { 'items-per-page': 500 } })
  return (
    <Section title={t('notes')}>
      <QueryView query={notes}>
        {({ result }) => (
          <Stack gap="xs" component="ul" className="notes">
            {result.length === 0 && (
              <Text component="li" size="sm" c="dimmed">
                {t('noNotes')}
              </Text>
            )}
            {result.map(({ id, text, author, 'created-at': at }) => (
              <li key={id}>
                <Text size="sm" className="note-text" translate="no">
                  {text}
                </Text>
                <Text size="xs" c="dimmed">
                  <Value>{nameOf(author)}</Value>, <TimestampValue value={at} />
                </Text>
              </li>
            ))}
          </Stack>
        )}
      </QueryView>
      {mayWrite && <AddNote enrollmentId={enrollmentId} />}
    </Section>
  )
}

function AddNote({ enrollmentId }: { readonly enrollmentId: string }) {
  const { t } = useTranslation(['movement', 'states'])
  const queryClient = useQueryClient()
  const [text, setText] = useState('')
  const add = useMutation({
    mutationFn: () => api.enrollments.addNote(enrollmentId, { text: text.trim() }),
    onSuccess: async () => {
      setText('')
      notifyDone(t('movement:noteAdded'))
      await queryClient.invalidateQueries({ queryKey: ['listEnrollmentNotes'] })
      for (const id of ['readMovement', 'listEnrollmentQueue']) void queryClient.invalidateQueries({ queryKey: [id] })
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (text.trim() !== '' && !add.isPending) add.mutate()
  }
  return (
    <form onSubmit={submit} className="no-print">
      <Stack gap="xs" mt="xs">
        {add.error !== null && <ErrorMessage error={add.error} />}
        <Textarea
          label={t('movement:newNote')}
          description={t('movement:noteHint')}
          size="sm"
          rows={3}
          resize="vertical"
          maxLength={maxCharacters}
          value={text}
          onChange={({ currentTarget: { value } }) => setText(value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit(event)
          }}
        />
        <Button
          type="submit"
          variant="default"
          size="xs"
          loading={add.isPending}
          disabled={text.trim() === ''}
          style={{ alignSelf: 'flex-end' }}
        >
          {t('movement:addNote')}
        </Button>
      </Stack>
    </form>
  )
}
