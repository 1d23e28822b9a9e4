import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { MAX_CLAIM_LINES } from '../../../../src/money/rules/claim.ts'
import { api } from '../../api/client.ts'
import { ActDialog } from '../../components/act-dialog.tsx'
import { ErrorMessage } from '../../components/error-message.tsx'
import { NoteField } from '../../components/note-field.tsx'
import { Loading } from '../../components/state-view.tsx'
import { MoneyValue } from '../../components/value.tsx'
import { formatNumber } from '../../format/number.ts'
import type { Discrepancy } from '../../entities/reconciliations/reconciliation.ts'
import type { FileSearch } from './search.ts'

/** Whether the carrier can be asked to pay it back: the rule of the service. */
const isClaimable = ({ status, amount, class: name }: Discrepancy) =>
  (status === 'open' || status === 'explained') && amount !== null && amount > 0 && name !== 'total-differs'

/** The selected discrepancies of a reconciliation. @param selected null: all that the filter selects. */
async function readSelected(
  id: string,
  filter: FileSearch,
  selected: ReadonlySet<string> | null,
): Promise<Discrepancy[]> {
  const found: Discrepancy[] = []
  for await (const one of api.reconciliations.discrepancies(id, { ...filter, 'items-per-page': 500 })) {
    if (selected === null || selected.has(one['discrepancy-id'])) found.push(one)
    if (found.length === selected?.size) break
  }
  return found
}

/** Claims those of the selected discrepancies that charge too much, and leads to the claim. */
export function ClaimDialog(props: {
  readonly id: string
  readonly filter: FileSearch
  /** null: all that the filter selects. */
  readonly selected: ReadonlySet<string> | null
  readonly onClose: () => void
}) {
  const { id, filter, selected, onClose } = props
  const { t } = useTranslation('reconciliations')
  const navigate = useNavigate()
  const [note, setNote] = useState('')
  const found = useQuery({
    queryKey: ['claimable', id, filter, selected === null ? null : [...selected]],
    queryFn: () => readSelected(id, filter, selected),
    gcTime: 0,
  })
  const claimable = found.data?.filter(isClaimable) ?? []
  const left = (found.data?.length ?? 0) - claimable.length
  const isTooMany = claimable.length > MAX_CLAIM_LINES
  return (
    <ActDialog
      title={t('claimTitle')}
      action={t('act.claim')}
      isDisabled={claimable.length === 0 || isTooMany}
      act={() =>
        api.claims.create({
          'reconciliation-id': id,
          'discrepancy-ids': claimable.map((one) => one['discrepancy-id']),
          ...(note.trim() === '' ? {} : { note: note.trim() }),
        })
      }
      done={t('claimed', { count: claimable.length, formatted: formatNumber(claimable.length) })}
      onDone={(made) => navigate({ to: '/claims/$claimId', params: { claimId: made['claim-id'] } })}
      onClose={onClose}
    >
      {found.isPending && <Loading />}
      {found.error !== null && <ErrorMessage error={found.error} />}
      {found.data !== undefined && (
        <>
          {claimable.length > 0 && (
            <Text size="sm">
              {t('claimable', { count: claimable.length, formatted: formatNumber(claimable.length) })}{' '}
              <b>
                <MoneyValue value={claimable.reduce((sum, one) => sum + (one.amount ?? 0), 0)} />
              </b>
            </Text>
          )}
          {left > 0 && <Text size="sm">{t('notClaimable', { count: left, formatted: formatNumber(left) })}</Text>}
          {isTooMany && <Text size="sm">{t('tooManyClaimed', { formatted: formatNumber(MAX_CLAIM_LINES) })}</Text>}
        </>
      )}
      <NoteField label={t('note')} maxLength={2_000} value={note} onChange={setNote} />
    </ActDialog>
  )
}
