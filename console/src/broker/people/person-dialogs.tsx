import { Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { ActDialog } from '../../components/act-dialog.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { LinkDialog } from './link-dialog.tsx'
import { accessBody, type PersonAccess, PersonFields } from './person-fields.tsx'
import { operatorRoles, type Person } from './person.ts'

interface Props {
  readonly opened: boolean
  readonly person: Person
  readonly onClose: () => void
}

/** Asks for the role of a person of the broker, or the companies of a person of a company. */
export function AccessDialog({ person, onClose }: Omit<Props, 'opened'>) {
  const { t } = useTranslation('people')
  const [access, setAccess] = useState<PersonAccess>(person)
  return (
    <ActDialog
      title={t('accessTitle', { name: person.name })}
      size="lg"
      action={t('change')}
      isDisabled={access === person}
      act={() => api.people.change(person['person-id'], accessBody(access))}
      done={({ name }) => t('changed', { name })}
      onClose={onClose}
    >
      <PersonFields
        value={access}
        onChange={setAccess}
        roles={person.role === 'company-hr' ? ['company-hr'] : operatorRoles}
      />
      <Text size="sm">{t('accessAtOnce')}</Text>
    </ActDialog>
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
      <LinkDialog
        link={make.data?.link ?? null}
        mailed={make.data?.mailed ?? false}
        title={t('linkOf', { name: person.name })}
        onClose={close}
      />
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
