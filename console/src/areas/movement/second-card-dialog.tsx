import { Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { SECOND_CARD_REASONS, type SecondCardReason } from '../../../../src/domain/enums.ts'
import { api } from '../../api/client.ts'
import { Choice } from '../../components/choice.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { notifyDone } from '../../components/notify.ts'
import { changedByDecisions } from '../../decisions/changed-by-decisions.ts'

/** Asks the carrier for a second copy of a card. */
export function SecondCardDialog(props: {
  readonly memberId: string
  readonly benefitId: string
  readonly onClose: () => void
}) {
  const { memberId, benefitId, onClose } = props
  const { t } = useTranslation('review')
  const queryClient = useQueryClient()
  const [reason, setReason] = useState<SecondCardReason>('lost')
  const request = useMutation({
    mutationFn: () => api.members.requestSecondCard(memberId, { 'benefit-id': benefitId, reason }),
    onSuccess: async () => {
      notifyDone(t('secondCardAsked'))
      onClose()
      await Promise.all(changedByDecisions.map((id) => queryClient.invalidateQueries({ queryKey: [id] })))
    },
  })
  return (
    <ConfirmDialog
      opened
      title={t('secondCardTitle')}
      action={t('secondCard')}
      isPending={request.isPending}
      error={request.error}
      onConfirm={() => request.mutate()}
      onClose={onClose}
    >
      <Text size="sm">{t('secondCardHint')}</Text>
      <Choice
        label={t('secondCardReason')}
        value={reason}
        data={SECOND_CARD_REASONS.map((value) => ({ value, label: t(`secondCardReasons.${value}`) }))}
        onChange={(chosen) => chosen !== undefined && setReason(chosen)}
      />
    </ConfirmDialog>
  )
}
