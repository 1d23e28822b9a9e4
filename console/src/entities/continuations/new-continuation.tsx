import { NumberInput, Select, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { Result } from '@vigencia/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CONTINUATION_GROUNDS } from '../../../../src/coverage/rules/continuation.ts'
import { api } from '../../api/client.ts'
import { DateField } from '../../components/date-field.tsx'
import { formatNumber } from '../../format/number.ts'
import { PriceFields } from './price-fields.tsx'
import { type PriceValues, pricesOf } from './prices.ts'
import { ActDialog } from '../../components/act-dialog.tsx'

type Benefit = Result<'readAnyMember'>['benefits'][number]

/** Records that a person who leaves may keep the plan. @param props.benefits the active ones of which the person is the primary. */
export function NewContinuation(props: { readonly benefits: readonly Benefit[]; readonly onClose: () => void }) {
  const { benefits, onClose } = props
  const { t } = useTranslation('continuations')
  const navigate = useNavigate()
  const [benefitId, setBenefitId] = useState(benefits[0]?.['benefit-id'] ?? '')
  const [ground, setGround] = useState<(typeof CONTINUATION_GROUNDS)[number]>('dismissal')
  const [months, setMonths] = useState<number | string>('')
  const [leaving, setLeaving] = useState<string | null>(null)
  const [notice, setNotice] = useState<string | null>(null)
  const [prices, setPrices] = useState<readonly PriceValues[]>([])
  const [isChecked, setChecked] = useState(false)
  const calculated = useQuery({
    queryKey: ['calculateAnyContinuation', benefitId, ground, leaving],
    queryFn: () =>
      api.continuations.calculate({
        'exclusion-reason': ground,
        'benefit-id': benefitId,
        ...(leaving === null ? {} : { 'end-date': leaving }),
      }),
  })
  const known = calculated.data?.['contribution-months'] ?? 0
  const written = pricesOf(prices)
  return (
    <ActDialog
      action={t('create')}
      check={() => {
        setChecked(true)
        return (months !== '' || known > 0) && leaving !== null && written !== null
      }}
      act={() =>
        api.continuations.create({
          'benefit-id': benefitId,
          ground,
          ...(months === '' ? {} : { 'contribution-months': Number(months) }),
          'leaving-date': leaving ?? '',
          ...(notice === null ? {} : { 'notice-date': notice }),
          ...(written === null || written.length === 0 ? {} : { prices: written }),
        })
      }
      done={t('done.create')}
      onDone={(made) =>
        navigate({ to: '/continuations/$continuationId', params: { continuationId: made['continuation-id'] } })
      }
      onClose={onClose}
    >
      <Text size="sm">{t('createText')}</Text>
      <Select
        label={t('product')}
        allowDeselect={false}
        attributes={{ option: { translate: 'no' } }}
        value={benefitId}
        onChange={(value) => setBenefitId(value ?? benefitId)}
        data={benefits.map((one) => ({ value: one['benefit-id'], label: one['product-name'] }))}
      />
      <Select
        label={t('ground')}
        allowDeselect={false}
        value={ground}
        onChange={(value) => setGround(CONTINUATION_GROUNDS.find((one) => one === value) ?? ground)}
        data={CONTINUATION_GROUNDS.map((value) => ({ value, label: t(`grounds.${value}`) }))}
      />
      <NumberInput
        label={t('contributionMonths')}
        description={
          known === 0 ? t('monthsUnknown') : t('monthsKnown', { count: known, formatted: formatNumber(known) })
        }
        placeholder={known === 0 ? undefined : String(known)}
        required={known === 0}
        allowDecimal={false}
        allowNegative={false}
        hideControls
        value={months}
        onChange={setMonths}
        error={isChecked && months === '' && known === 0 ? t('monthsMissing') : undefined}
      />
      <DateField
        label={t('dates.leaving-date')}
        required
        value={leaving}
        onChange={setLeaving}
        error={isChecked && leaving === null ? t('leavingMissing') : undefined}
      />
      <DateField label={t('noticeOptional')} value={notice} onChange={setNotice} />
      <PriceFields prices={prices} onChange={setPrices} isChecked={isChecked} />
    </ActDialog>
  )
}
