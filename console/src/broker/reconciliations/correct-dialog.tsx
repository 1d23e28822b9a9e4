import { Alert, List, Text, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ApiError, type RequestBody } from '@vigencia/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { EXCLUSION_REASONS, type ExclusionReason } from '../../../../src/kernel/enums.ts'
import type { CorrectableClass } from '../../../../src/kernel/reconciliation.ts'
import { api } from '../../api/client.ts'
import { Choice } from '../../components/choice.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { DateField } from '../../components/date-field.tsx'
import { notifyDone } from '../../components/notify.ts'
import { offenseText } from '../../components/offense-texts.ts'
import { Value } from '../../components/value.tsx'
import { currentLanguage } from '../../language/language.ts'
import type { Discrepancy } from '../../entities/reconciliations/reconciliation.ts'

type Kind = 'inclusion' | 'exclusion' | 'alteration' | 'benefit'

/** By what a class is corrected. */
const kinds: Readonly<Record<CorrectableClass, Kind>> = {
  'unknown-here': 'inclusion',
  'missing-at-carrier': 'exclusion',
  'ended-at-carrier-active-here': 'exclusion',
  'plan-differs': 'alteration',
  'name-differs': 'alteration',
  'date-of-birth-differs': 'alteration',
  'tax-id-differs': 'alteration',
  'start-date-differs': 'benefit',
  'card-number-missing-here': 'benefit',
}

const genders = ['female', 'male'] as const

/** What an inclusion lacks, as codes; empty for another error. */
function offensesOf(error: Error | null): readonly string[] {
  if (!(error instanceof ApiError) || error.code !== 'invalid-members') return []
  const [first] = (error.body['result'] ?? []) as readonly { readonly offenses?: readonly string[] }[]
  return first?.offenses ?? []
}

/** Says what the correction does, and asks for what the carrier does not say. */
export function CorrectDialog(props: { readonly discrepancy: Discrepancy; readonly onClose: () => void }) {
  const { discrepancy, onClose } = props
  const { t } = useTranslation(['reconciliations', 'terms'])
  const queryClient = useQueryClient()
  const kind = kinds[discrepancy.class as CorrectableClass]
  const isEndKnown = discrepancy.class === 'ended-at-carrier-active-here'
  const [endDate, setEndDate] = useState<string | null>(isEndKnown ? discrepancy.found : null)
  const [reason, setReason] = useState<ExclusionReason>('other')
  const [mother, setMother] = useState('')
  const [gender, setGender] = useState<(typeof genders)[number]>()
  const bodyOf = (): RequestBody<'correctDiscrepancy'> => {
    switch (kind) {
      case 'inclusion':
        return {
          member: {
            ...(mother.trim() === '' ? {} : { 'mothers-name': mother.trim() }),
            ...(gender === undefined ? {} : { gender }),
          },
        }
      case 'exclusion':
        return { ...(endDate === null ? {} : { 'end-date': endDate }), 'exclusion-reason': reason }
      case 'alteration':
      case 'benefit':
        return {}
      default:
        return kind satisfies never
    }
  }
  const correct = useMutation({
    mutationFn: () => api.discrepancies.correct(discrepancy['discrepancy-id'], bodyOf()),
    onSuccess: () => {
      // A movement or a benefit has changed too.
      void queryClient.invalidateQueries()
      notifyDone(t('reconciliations:corrected'))
      onClose()
    },
  })
  const offenses = offensesOf(correct.error)
  return (
    <ConfirmDialog
      opened
      title={t('reconciliations:correctTitle')}
      action={t('reconciliations:correct')}
      isPending={correct.isPending}
      isDisabled={kind === 'exclusion' && endDate === null}
      error={offenses.length === 0 ? correct.error : null}
      onConfirm={() => correct.mutate()}
      onClose={onClose}
    >
      <Text size="sm">
        <Value>
          <b>{discrepancy['member-name']}</b>
        </Value>{' '}
        · {t(`terms:discrepancyClass.${discrepancy.class}`)}
      </Text>
      <Text size="sm">{t(`reconciliations:correctText.${kind}`)}</Text>
      {kind === 'exclusion' && (
        <>
          <DateField label={t('reconciliations:endDate')} required value={endDate} onChange={setEndDate} />
          <Choice
            label={t('reconciliations:reason')}
            value={reason}
            onChange={(value) => setReason(value ?? 'other')}
            data={EXCLUSION_REASONS.map((value) => ({ value, label: t(`terms:exclusionReason.${value}`) }))}
          />
        </>
      )}
      {kind === 'inclusion' && (
        <>
          <TextInput
            label={t('reconciliations:mothersName')}
            size="sm"
            maxLength={200}
            autoComplete="off"
            value={mother}
            onChange={({ currentTarget: { value } }) => setMother(value)}
          />
          <Choice
            label={t('reconciliations:gender')}
            any={t('reconciliations:unknown')}
            value={gender}
            onChange={setGender}
            data={genders.map((value) => ({ value, label: t(`terms:gender.${value}`) }))}
          />
        </>
      )}
      {offenses.length > 0 && (
        <Alert color="red" role="alert" title={t('reconciliations:lacking')}>
          <List size="sm">
            {offenses.map((code) => (
              <List.Item key={code}>
                <Value>{offenseText(code, 'inclusion', currentLanguage())}</Value>
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
    </ConfirmDialog>
  )
}
