import { Text, Textarea } from '@mantine/core'
import type { Enrollment } from '@vigencia/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isTerminal } from '../../../../src/coverage/rules/enrollment-status.ts'
import { companyApi } from '../../entities/company-hr/client.ts'
import { ActDialog } from '../../components/act-dialog.tsx'
import { DialogButton } from '../../components/dialog.tsx'

/** Withdraws a movement that has not reached the carrier. */
export function CancelMovement({ movement }: { readonly movement: Enrollment }) {
  const { t } = useTranslation('hr')
  const [reason, setReason] = useState('')
  const hasReachedCarrier = movement.history.some(({ status }) => status === 'carrier-processing')
  if (isTerminal(movement.status) || hasReachedCarrier) return null
  return (
    <DialogButton
      variant="default"
      dialog={(close) => (
        <ActDialog
          action={t('withdraw')}
          isDestructive
          act={() => companyApi.enrollments.cancel(movement.id, { reason: reason.trim() || null })}
          done={t('withdrawn')}
          onClose={close}
        >
          <Text size="sm">{t('withdrawText')}</Text>
          <Textarea
            label={t('withdrawReason')}
            maxLength={500}
            value={reason}
            onChange={({ currentTarget: { value } }) => setReason(value)}
          />
        </ActDialog>
      )}
    >
      {t('withdraw')}
    </DialogButton>
  )
}
