import { Text } from '@mantine/core'
import type { RequestBody } from '@vigencia/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { ActDialog } from '../../components/act-dialog.tsx'
import { Choice } from '../../components/choice.tsx'
import { NoteField } from '../../components/note-field.tsx'
import { useOperators } from '../../entities/decisions/use-operator-names.ts'
import { formatNumber } from '../../format/number.ts'
import { isPermitted } from '../../session/permissions.ts'
import { useSession } from '../../session/session.ts'

type Change = RequestBody<'changeDiscrepancies'>

/** What is done with several discrepancies at once. */
export const acts = ['explain', 'accept', 'assign', 'reopen'] as const
export type Act = (typeof acts)[number]

/** Asks for the note or the assignee of a change of discrepancies. @param props.which as the API takes it. */
export function ChangeDialog(props: {
  readonly id: string
  readonly which: Pick<Change, 'discrepancy-ids' | 'filter'>
  readonly count: number
  readonly act: Act
  readonly onDone: () => void
  readonly onClose: () => void
}) {
  const { id, which, count, act, onDone, onClose } = props
  const { t } = useTranslation('reconciliations')
  const session = useSession()
  const me = session?.['client-id'] ?? ''
  const colleagues = (useOperators() ?? []).filter(
    (one) => one['client-id'] !== me && isPermitted(one, 'changeDiscrepancies'),
  )
  const [note, setNote] = useState('')
  const [assignee, setAssignee] = useState<string | undefined>(me)
  const written = note.trim() === '' ? {} : { note: note.trim() }
  const bodyOf = (): Change => {
    switch (act) {
      case 'explain':
        return { ...which, status: 'explained', ...written }
      case 'accept':
        return { ...which, status: 'accepted', ...written }
      case 'reopen':
        return { ...which, status: 'open' }
      case 'assign':
        return { ...which, assignee: assignee ?? null }
      default:
        return act satisfies never
    }
  }
  return (
    <ActDialog
      action={t(`act.${act}`)}
      isDisabled={act === 'explain' && note.trim() === ''}
      act={() => api.reconciliations.change(id, bodyOf())}
      done={({ changed }) => t('changed', { count: changed, formatted: formatNumber(changed) })}
      onDone={onDone}
      onClose={onClose}
    >
      <Text size="sm">{t('selected', { count, formatted: formatNumber(count) })}</Text>
      {(act === 'explain' || act === 'accept') && (
        <NoteField
          label={t('note')}
          required={act === 'explain'}
          maxLength={2_000}
          data-autofocus
          value={note}
          onChange={setNote}
        />
      )}
      {act === 'assign' && (
        <Choice
          label={t('assignee')}
          any={t('nobody')}
          isData
          value={assignee}
          onChange={setAssignee}
          data={[
            { value: me, label: session?.name ?? me },
            ...colleagues.map((one) => ({ value: one['client-id'], label: one.name })),
          ]}
        />
      )}
    </ActDialog>
  )
}
