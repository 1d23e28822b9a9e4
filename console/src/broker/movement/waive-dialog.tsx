import { Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { ActDialog } from '../../components/act-dialog.tsx'

/** Asks why a movement may go without a document that a rule wants. */
export function WaiveDialog(props: {
  readonly enrollmentId: string
  readonly requirement: number
  readonly document: string
  readonly onClose: () => void
}) {
  const { t } = useTranslation('deadlines')
  const [reason, setReason] = useState('')
  return (
    <ActDialog
      title={t('waiveTitle')}
      action={t('waive')}
      isDisabled={reason.trim() === ''}
      act={() =>
        api.enrollments.waiveRequirement(props.enrollmentId, String(props.requirement), { reason: reason.trim() })
      }
      done={t('waived')}
      onClose={props.onClose}
    >
      <Text size="sm" fw={600}>
        {props.document}
      </Text>
      <Text size="sm">{t('waiveText')}</Text>
      <TextInput
        label={t('reason')}
        required
        maxLength={500}
        value={reason}
        onChange={({ currentTarget: { value } }) => setReason(value)}
      />
    </ActDialog>
  )
}
