import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { sessionKey } from '../../api/session-key.ts'
import { ActDialog } from '../../components/act-dialog.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { ErrorMessage } from '../../components/error-message.tsx'
import { notifyDone } from '../../components/notify.ts'
import { LinkDialog } from './link-dialog.tsx'
import { accessBody, type PersonAccess, PersonFields } from './person-fields.tsx'
import { operatorRoles, type Person } from './person.ts'

interface Props {
  readonly opened: boolean
  readonly person: Person
  readonly onClose: () => void
}

/** Asks for the role of a person of the broker, or the companies of a person of a company. */
export function AccessDialog({ opened, person, onClose }: Props) {
  const { t } = useTranslation(['people', 'states'])
  const queryClient = useQueryClient()
  const [chosen, setChosen] = useState<PersonAccess | null>(null)
  const change = useMutation({
    mutationFn: (access: PersonAccess) => api.people.change(person['person-id'], accessBody(access)),
    onSuccess: async ({ name }) => {
      notifyDone(t('people:changed', { name }))
      close()
      await queryClient.invalidateQueries({ queryKey: ['listPeople'] })
      await queryClient.invalidateQueries({ queryKey: sessionKey })
    },
  })
  const close = () => {
    change.reset()
    setChosen(null)
    onClose()
  }
  const access = chosen ?? person
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={t('people:accessTitle', { name: person.name })}
      size="lg"
      closeButtonProps={{ 'aria-label': t('states:close') }}
    >
      <Stack>
        <PersonFields
          value={access}
          onChange={setChosen}
          roles={person.role === 'company-hr' ? ['company-hr'] : operatorRoles}
        />
        <Text size="sm">{t('people:accessAtOnce')}</Text>
        {change.error !== null && <ErrorMessage error={change.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            {t('states:cancel')}
          </Button>
          <Button disabled={chosen === null} loading={change.isPending} onClick={() => change.mutate(access)}>
            {t('people:change')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

/** Asks, and makes a link for who forgot the password or came too late. */
export function NewLinkDialog({ opened, person, onClose }: Props) {
  const { t } = useTranslation('people')
  const queryClient = useQueryClient()
  const make = useMutation({
    mutationFn: () => api.people.createLink(person['person-id']),
    // The link is not to stay in memory.
    gcTime: 0,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['listPeople'] }),
  })
  const close = () => {
    make.reset()
    onClose()
  }
  return (
    <>
      <ConfirmDialog
        opened={opened && make.data === undefined}
        title={t('newLinkTitle', { name: person.name })}
        action={t('newLink')}
        isPending={make.isPending}
        error={make.error}
        onConfirm={() => make.mutate()}
        onClose={close}
      >
        <Text size="sm">{t('newLinkExplanation')}</Text>
      </ConfirmDialog>
      <LinkDialog link={make.data?.link ?? null} title={t('linkOf', { name: person.name })} onClose={close} />
    </>
  )
}

/** Asks, and blocks the person, or ends that. */
export function BlockDialog({ person, onClose }: Omit<Props, 'opened'>) {
  const { t } = useTranslation('people')
  const isBlocked = person.status === 'blocked'
  return (
    <ActDialog
      title={t(isBlocked ? 'unblockTitle' : 'blockTitle', { name: person.name })}
      action={t(isBlocked ? 'unblock' : 'block')}
      isDestructive={!isBlocked}
      act={() => (isBlocked ? api.people.unblock(person['person-id']) : api.people.block(person['person-id']))}
      done={({ name }) => t(isBlocked ? 'unblocked' : 'blocked', { name })}
      onClose={onClose}
    >
      <Text size="sm">{t(isBlocked ? 'unblockExplanation' : 'blockExplanation')}</Text>
    </ActDialog>
  )
}
