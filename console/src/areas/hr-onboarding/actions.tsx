import { Button, Group, List, Text, Textarea } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { InvalidMembersError } from '@vigencia/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { mayBecome } from '../../../../src/domain/onboarding.ts'
import { companyApi } from '../../company-hr/client.ts'
import { offensesOf } from '../../company-hr/offenses.ts'
import { useIdempotencyKey } from '../../company-hr/use-idempotency-key.ts'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { notifyDone } from '../../components/notify.ts'
import { Value } from '../../components/value.tsx'
import type { Review } from './invitation.tsx'

type Act = 'approve' | 'return' | 'revoke'
const leadsTo = { approve: 'approved', return: 'returned', revoke: 'revoked' } as const

/** What the status allows: to approve, to return, to revoke. */
export function InvitationActions({ review }: { readonly review: Review }) {
  const { t } = useTranslation('onboarding')
  const [act, setAct] = useState<Act | null>(null)
  const may = (one: Act) => mayBecome(review.status, leadsTo[one])
  const close = () => setAct(null)
  return (
    <Group gap="xs">
      {may('approve') && <Button onClick={() => setAct('approve')}>{t('approve')}</Button>}
      {may('return') && (
        <Button variant="default" onClick={() => setAct('return')}>
          {t('return')}
        </Button>
      )}
      {may('revoke') && (
        <Button variant="default" onClick={() => setAct('revoke')}>
          {t('revoke')}
        </Button>
      )}
      <ApproveDialog review={review} opened={act === 'approve'} onClose={close} />
      <ReturnDialog review={review} opened={act === 'return'} onClose={close} />
      <RevokeDialog review={review} opened={act === 'revoke'} onClose={close} />
    </Group>
  )
}

interface DialogProps {
  readonly review: Review
  readonly opened: boolean
  readonly onClose: () => void
}

/** Sends an act, tells that it is done, and reads the invitation again. */
function useAct(
  { onClose }: DialogProps,
  done: 'approved' | 'wasReturned' | 'wasRevoked',
  send: () => Promise<unknown>,
) {
  const { t } = useTranslation('onboarding')
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: send,
    onSuccess: async () => {
      onClose()
      notifyDone(t(done))
      await queryClient.invalidateQueries()
    },
  })
}

function ApproveDialog(props: DialogProps) {
  const { t } = useTranslation('onboarding')
  const { review, opened, onClose } = props
  const keyOf = useIdempotencyKey()
  const body = { 'submitted-at': review['submitted-at'] ?? '' }
  const approve = useAct(props, 'approved', () =>
    companyApi.onboarding.approve(review['invitation-id'], body, { idempotencyKey: keyOf(body) }),
  )
  const { error } = approve
  const people = [review.submission?.member, ...(review.submission?.dependents ?? [])]
  const close = () => {
    approve.reset()
    onClose()
  }
  return (
    <ConfirmDialog
      opened={opened}
      title={t('approveTitle', { name: review.name })}
      action={t('approve')}
      isPending={approve.isPending}
      error={error instanceof InvalidMembersError ? null : error}
      onConfirm={() => approve.mutate()}
      onClose={close}
    >
      <Text size="sm">{t('approveText')}</Text>
      {error instanceof InvalidMembersError && (
        <div role="alert">
          <Text size="sm" c="var(--mantine-color-error)">
            {t('refused')}
          </Text>
          <List size="sm">
            {offensesOf(error, 'inclusion').map(({ index, text }) => (
              <List.Item key={`${index} ${text}`}>
                <Value>
                  {people[index]?.['name'] as string}: {text}
                </Value>
              </List.Item>
            ))}
          </List>
        </div>
      )}
    </ConfirmDialog>
  )
}

function ReturnDialog(props: DialogProps) {
  const { t } = useTranslation('onboarding')
  const { review, opened, onClose } = props
  const [message, setMessage] = useState('')
  const send = useAct(props, 'wasReturned', () =>
    companyApi.onboarding.return(review['invitation-id'], { message: message.trim() }),
  )
  return (
    <ConfirmDialog
      opened={opened}
      title={t('returnTitle', { name: review.name })}
      action={t('return')}
      isPending={send.isPending}
      isDisabled={message.trim() === ''}
      error={send.error}
      onConfirm={() => send.mutate()}
      onClose={onClose}
    >
      <Text size="sm">{t('returnText')}</Text>
      <Textarea
        label={t('message')}
        required
        maxLength={500}
        autosize
        minRows={3}
        value={message}
        onChange={({ currentTarget: { value } }) => setMessage(value)}
      />
    </ConfirmDialog>
  )
}

function RevokeDialog(props: DialogProps) {
  const { t } = useTranslation('onboarding')
  const { review, opened, onClose } = props
  const revoke = useAct(props, 'wasRevoked', () => companyApi.onboarding.revoke(review['invitation-id']))
  return (
    <ConfirmDialog
      opened={opened}
      title={t('revokeTitle', { name: review.name })}
      action={t('revoke')}
      isPending={revoke.isPending}
      error={revoke.error}
      onConfirm={() => revoke.mutate()}
      onClose={onClose}
    >
      <Text size="sm">{t('revokeText')}</Text>
    </ConfirmDialog>
  )
}
