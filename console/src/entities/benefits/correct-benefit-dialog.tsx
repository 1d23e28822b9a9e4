import { Alert, Text, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ApiError, type Result } from '@vigencia/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { DateField } from '../../components/date-field.tsx'
import { notifyDone } from '../../components/notify.ts'
import { Value } from '../../components/value.tsx'
import { FormFrame } from '../../forms/form-frame.tsx'
import { changedByDecisions } from '../decisions/changed-by-decisions.ts'
import { Dialog } from '../../components/dialog.tsx'

type Benefit = Omit<Result<'readAnyMember'>['benefits'][number], 'carrier-certificate' | 'carrier-dependent-code'>

/** Corrects what was written wrong of a benefit, with the reason. */
export function CorrectBenefitDialog({
  benefit,
  onClose,
}: {
  readonly benefit: Benefit
  readonly onClose: () => void
}) {
  const { t } = useTranslation(['review', 'states'])
  const queryClient = useQueryClient()
  const present = {
    'card-number': benefit['card-number'] ?? '',
    'start-date': benefit['start-date'],
    'end-date': benefit['end-date'] ?? '',
  }
  const [values, setValues] = useState(present)
  const [reason, setReason] = useState('')
  const [isTried, setTried] = useState(false)
  const changed = Object.fromEntries(
    Object.entries(values).filter(([field, value]) => value.trim() !== '' && value !== present[field as 'end-date']),
  )
  const correction = JSON.stringify(changed)
  const save = useMutation({
    mutationFn: ({ isMeant }: { readonly sent: string; readonly isMeant: boolean }) =>
      api.benefits.correct(benefit['benefit-id'], {
        ...changed,
        reason: reason.trim(),
        ...(isMeant ? { confirm: true } : {}),
      }),
    onSuccess: async () => {
      notifyDone(t('review:corrected'))
      onClose()
      await Promise.all(changedByDecisions.map((id) => queryClient.invalidateQueries({ queryKey: [id] })))
    },
  })
  // The service asks whether just these dates, far from today, are meant.
  const isQuestion =
    save.error instanceof ApiError && save.error.code === 'date-out-of-range' && save.variables?.sent === correction
  const isEmpty = correction === '{}'
  const set = (field: keyof typeof present) => (value: string | null) => setValues({ ...values, [field]: value ?? '' })
  return (
    <Dialog onClose={onClose} title={t('review:correctTitle')} transitionProps={{ duration: 0 }}>
      <FormFrame
        onSubmit={(event) => {
          event.preventDefault()
          setTried(true)
          if (!isEmpty && reason.trim() !== '') save.mutate({ sent: correction, isMeant: isQuestion })
        }}
        judge={() => setTried(true)}
        error={save.error}
        errors={{}}
        action={isQuestion ? t('review:confirmDates') : t('review:correctTitle')}
        isPending={save.isPending}
        onCancel={onClose}
      >
        <Text size="sm">
          <Value>
            {benefit['product-name']} · {benefit['carrier-name']}
          </Value>
        </Text>
        <Text size="sm" c="dimmed">
          {t('review:correctHint')}
        </Text>
        <TextInput
          label={t('review:cardNumber')}
          value={values['card-number']}
          maxLength={200}
          autoComplete="off"
          data-autofocus
          onChange={({ currentTarget: { value } }) => set('card-number')(value)}
        />
        <DateField label={t('review:startDate')} value={values['start-date']} onChange={set('start-date')} />
        {benefit['end-date'] !== null && (
          <DateField label={t('review:endDate')} value={values['end-date']} onChange={set('end-date')} />
        )}
        <TextInput
          label={t('review:reason')}
          value={reason}
          maxLength={200}
          required
          error={isTried && reason.trim() === '' ? t('review:reasonMissing') : undefined}
          onChange={({ currentTarget: { value } }) => setReason(value)}
        />
        {isTried && isEmpty && <Alert color="yellow">{t('review:nothingChanged')}</Alert>}
      </FormFrame>
    </Dialog>
  )
}
