import { Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { SECOND_CARD_REASONS, type SecondCardReason } from '../../../../src/kernel/enums.ts'
import { api } from '../../api/client.ts'
import { ActDialog } from '../../components/act-dialog.tsx'
import { Choice } from '../../components/choice.tsx'

/** Asks the carrier for a second copy of a card. */
export function SecondCardDialog(props: {
  readonly memberId: string
  readonly benefitId: string
  readonly onClose: () => void
}) {
  const { memberId, benefitId, onClose } = props
  const { t } = useTranslation('review')
  const [reason, setReason] = useState<SecondCardReason>('lost')
  return (
    <ActDialog
      title={t('secondCardTitle')}
      action={t('secondCard')}
      act={() => api.members.requestSecondCard(memberId, { 'benefit-id': benefitId, reason })}
      done={t('secondCardAsked')}
      onClose={onClose}
    >
      <Text size="sm">{t('secondCardHint')}</Text>
      <Choice
        label={t('secondCardReason')}
        value={reason}
        data={SECOND_CARD_REASONS.map((value) => ({ value, label: t(`secondCardReasons.${value}`) }))}
        onChange={(chosen) => chosen !== undefined && setReason(chosen)}
      />
    </ActDialog>
  )
}
