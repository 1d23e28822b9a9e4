import { Button, Select, Text } from '@mantine/core'
import type { RequestBody } from '@vigencia/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CONTINUATION_ACTS, CONTINUATION_END_REASONS } from '../../../../src/coverage/rules/continuation.ts'
import { api } from '../../api/client.ts'
import { DateField } from '../../components/date-field.tsx'
import { usePermission } from '../../session/use-permission.ts'
import { PriceFields } from '../../entities/continuations/price-fields.tsx'
import { type PriceValues, pricesOf } from '../../entities/continuations/prices.ts'
import type { Continuation } from '../../entities/continuations/continuation.ts'
import { ActDialog } from '../../components/act-dialog.tsx'

type Option = RequestBody<'answerContinuation'>['option']
type EndReason = RequestBody<'endContinuation'>['reason']

const options = ['accepted', 'declined'] as const satisfies readonly Option[]
const allows = (act: keyof typeof CONTINUATION_ACTS, status: Continuation['status']) =>
  (CONTINUATION_ACTS[act] as readonly string[]).includes(status)
const optionsOf = (status: Continuation['status']) => options.filter((option) => allows(option, status))

/** Whether the status of a continuation allows an act. */
const acts = {
  notice: (status) => allows('notice', status),
  option: (status) => optionsOf(status).length > 0,
  end: (status) => allows('end', status),
} as const satisfies Record<string, (status: Continuation['status']) => boolean>
type Act = keyof typeof acts
const allActs = Object.keys(acts) as readonly Act[]
const endReasons = CONTINUATION_END_REASONS.filter((reason): reason is EndReason => reason !== 'term')

/** What the status of the continuation allows. */
export function ContinuationActs({ continuation }: { readonly continuation: Continuation }) {
  const { t } = useTranslation('continuations')
  const mayWrite = usePermission('offerContinuation')
  const [asked, setAsked] = useState<Act | null>(null)
  if (!mayWrite) return null
  return (
    <>
      {allActs
        .filter((act) => acts[act](continuation.status))
        .map((act, index) => (
          <Button
            key={act}
            {...(index === 0 && act !== 'end' ? {} : { variant: 'default' })}
            onClick={() => setAsked(act)}
          >
            {t(`act.${act}`)}
          </Button>
        ))}
      {asked !== null && (
        <ContinuationActDialog continuation={continuation} act={asked} onClose={() => setAsked(null)} />
      )}
    </>
  )
}

/** Asks for the day of an act, and for what the person chose or why it ends. */
function ContinuationActDialog(props: {
  readonly continuation: Continuation
  readonly act: Act
  readonly onClose: () => void
}) {
  const { continuation, act, onClose } = props
  const { t } = useTranslation('continuations')
  const [day, setDay] = useState<string | null>(null)
  const [option, setOption] = useState<Option>('accepted')
  const [reason, setReason] = useState<EndReason | null>(null)
  const [prices, setPrices] = useState<readonly PriceValues[]>([])
  const [isChecked, setChecked] = useState(false)
  const known = pricesOf(prices)
  const perform = (date: string): Promise<unknown> => {
    const id = continuation['continuation-id']
    switch (act) {
      case 'notice':
        return api.continuations.offer(id, {
          'notice-date': date,
          ...(known === null || known.length === 0 ? {} : { prices: known }),
        })
      case 'option':
        return api.continuations.answer(id, { option, 'option-date': date })
      case 'end':
        return api.continuations.end(id, { reason: reason ?? 'request', 'end-date': date })
      default:
        return act satisfies never
    }
  }
  return (
    <ActDialog
      action={t(`act.${act}`)}
      isDestructive={act === 'end'}
      isDisabled={day === null || (act === 'end' && reason === null)}
      check={() => {
        setChecked(true)
        return known !== null
      }}
      act={() => perform(day ?? '')}
      done={t(`done.${act}`)}
      onClose={onClose}
    >
      <Text size="sm">{t(`actText.${act}`)}</Text>
      {act === 'option' && (
        <Select
          label={t('option')}
          allowDeselect={false}
          value={option}
          onChange={(value) => setOption(value === 'declined' ? 'declined' : 'accepted')}
          data={optionsOf(continuation.status).map((value) => ({ value, label: t(`options.${value}`) }))}
        />
      )}
      {act === 'end' && (
        <Select
          label={t('endReason')}
          required
          value={reason}
          onChange={(value) => setReason(endReasons.find((one) => one === value) ?? null)}
          data={endReasons.map((value) => ({ value, label: t(`endReasons.${value}`) }))}
        />
      )}
      <DateField label={t(`dayOf.${act}`)} required value={day} onChange={setDay} />
      {act === 'notice' && <PriceFields prices={prices} onChange={setPrices} isChecked={isChecked} />}
    </ActDialog>
  )
}
