import { Text, TextInput } from '@mantine/core'
import { ApiError } from '@vigencia/client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { DateField } from '../../components/date-field.tsx'
import { notifyDone } from '../../components/notify.ts'
import { Value } from '../../components/value.tsx'
import { formatDate } from '../../format/date.ts'
import type { Benefit } from '../../entities/benefits/benefits.ts'

/** Asks for the last day and the reason, then ends a benefit of an extension plan with those of the dependents. */
export function EndBenefitDialog({ benefit, onClose }: { readonly benefit: Benefit; readonly onClose: () => void }) {
  const { t } = useTranslation(['members', 'decisions'])
  const queryClient = useQueryClient()
  const [endDate, setEndDate] = useState<string | null>(null)
  const [reason, setReason] = useState('')
  const [isChecked, setChecked] = useState(false)
  const end = useMutation({
    mutationFn: ({ day, isMeant }: { readonly day: string; readonly isMeant: boolean }) =>
      api.benefits.end(benefit['benefit-id'], {
        'end-date': day,
        reason: reason.trim(),
        ...(isMeant ? { confirm: true } : {}),
      }),
    onSuccess: async ({ 'end-date': day }) => {
      notifyDone(t('ended', { date: day === null ? '' : formatDate(day) }))
      onClose()
      await Promise.all(
        ['readAnyMember', 'searchMembers'].map((id) => queryClient.invalidateQueries({ queryKey: [id] })),
      )
    },
  })
  // The service asks whether just this day, far from today, is meant.
  const isQuestion =
    end.error instanceof ApiError && end.error.code === 'date-out-of-range' && end.variables?.day === endDate
  const confirm = () => {
    setChecked(true)
    if (endDate !== null && reason.trim() !== '') end.mutate({ day: endDate, isMeant: isQuestion })
  }
  return (
    <ConfirmDialog
      opened
      title={t('endTitle')}
      action={isQuestion ? t('decisions:confirmDates') : t('end')}
      isDestructive
      isPending={end.isPending}
      error={end.error}
      onConfirm={confirm}
      onClose={onClose}
    >
      <Text size="sm">
        <Value>{benefit['product-name']}</Value>
      </Text>
      <Text size="sm">{t('endExplanation')}</Text>
      <DateField
        label={t('lastDay')}
        value={endDate}
        onChange={setEndDate}
        required
        error={isChecked && endDate === null ? t('lastDayMissing') : undefined}
      />
      <TextInput
        label={t('reason')}
        value={reason}
        maxLength={200}
        required
        error={isChecked && reason.trim() === '' ? t('reasonMissing') : undefined}
        onChange={({ currentTarget: { value } }) => setReason(value)}
      />
    </ConfirmDialog>
  )
}
