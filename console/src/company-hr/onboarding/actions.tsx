import { Button, Group, List, Text, Textarea } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { InvalidMembersError } from '@vigencia/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { mayBecome } from '../../../../src/movements/rules/onboarding.ts'
import { companyApi } from '../../entities/company-hr/client.ts'
import { offensesOf } from '../../entities/movement-forms/offenses.ts'
import { useIdempotencyKey } from '../../entities/movement-forms/use-idempotency-key.ts'
import { ActDialog } from '../../components/act-dialog.tsx'
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
      {act === 'approve' && <ApproveDialog review={review} onClose={close} />}
      {act === 'return' && <ReturnDialog review={review} onClose={close} />}
      {act === 'revoke' && <RevokeDialog review={review} onClose={close} />}
    </Group>
  )
}

interface DialogProps {
  readonly review: Review
  readonly onClose: () => void
}

function ApproveDialog({ review, onClose }: DialogProps) {
  const { t } = useTranslation('onboarding')
  const queryClient = useQueryClient()
  const keyOf = useIdempotencyKey()
  const body = { 'submitted-at': review['submitted-at'] ?? '' }
  const approve = useMutation({
    mutationFn: () => companyApi.onboarding.approve(review['invitation-id'], body, { idempotencyKey: keyOf(body) }),
    onSuccess: async () => {
      onClose()
      notifyDone(t('approved'))
      await queryClient.invalidateQueries()
    },
  })
  const { error } = approve
  const people = [review.submission?.member, ...(review.submission?.dependents ?? [])]
  return (
    <ConfirmDialog
      opened
      title={t('approveTitle', { name: review.name })}
      action={t('approve')}
      isPending={approve.isPending}
      error={error instanceof InvalidMembersError ? null : error}
      onConfirm={() => approve.mutate()}
      onClose={onClose}
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

function ReturnDialog({ review, onClose }: DialogProps) {
  const { t } = useTranslation('onboarding')
  const [message, setMessage] = useState('')
  return (
    <ActDialog
      title={t('returnTitle', { name: review.name })}
      action={t('return')}
      isDisabled={message.trim() === ''}
      act={() => companyApi.onboarding.return(review['invitation-id'], { message: message.trim() })}
      done={t('wasReturned')}
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
    </ActDialog>
  )
}

function RevokeDialog({ review, onClose }: DialogProps) {
  const { t } = useTranslation('onboarding')
  return (
    <ActDialog
      title={t('revokeTitle', { name: review.name })}
      action={t('revoke')}
      isDestructive
      act={() => companyApi.onboarding.revoke(review['invitation-id'])}
      done={t('wasRevoked')}
      onClose={onClose}
    >
      <Text size="sm">{t('revokeText')}</Text>
    </ActDialog>
  )
}
