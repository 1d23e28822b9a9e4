import { Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DRAFT_CLASSES } from '../../../../src/kernel/movement-drafts.ts'
import { api } from '../../api/client.ts'
import { ActDialog } from '../../components/act-dialog.tsx'
import { NoteField } from '../../components/note-field.tsx'
import { Value } from '../../components/value.tsx'
import { type DraftItem, type MovementDraft, waitingOf } from '../../entities/movement-drafts/draft.ts'

export type DraftAct = 'confirm' | 'discard'

/** CPFs of lists are confirmed one by one. */
const inBulk = DRAFT_CLASSES.filter((name) => name !== 'tax-id-correction')

/** Seconds for which a confirmation waits for its requests. */
const waitSeconds = 10

/** Asks before items are requested, or why they are not. @param props.item undefined: all that wait. */
export function DraftActDialog(props: {
  readonly draft: MovementDraft
  readonly act: DraftAct
  readonly item?: DraftItem | undefined
  readonly onClose: () => void
}) {
  const { t } = useTranslation('drafts')
  const { draft, act, item, onClose } = props
  const [reason, setReason] = useState('')
  const id = draft['draft-id']
  const count = item === undefined ? waitingOf(draft) : 1
  const selected = item === undefined ? {} : { items: [{ number: item.number }] }
  return (
    <ActDialog
      title={t(`ask.${act}`)}
      action={t(`actOne.${act}`)}
      isDestructive={act === 'discard'}
      isDisabled={act === 'discard' && reason.trim() === ''}
      act={async () => {
        if (act === 'discard') await api.movementDrafts.discard(id, { ...selected, reason: reason.trim() })
        else {
          const body = item === undefined ? { classes: [...inBulk] } : selected
          await api.movementDrafts.confirm(id, body, { headers: { prefer: `wait=${waitSeconds}` } })
        }
      }}
      done={t(`done.${act}`, { count })}
      onClose={onClose}
    >
      {item !== undefined && (
        <Text size="sm">
          <Value>{item.name ?? item['tax-id']}</Value>
        </Text>
      )}
      <Text size="sm">{t(`explanation.${act}`, { count })}</Text>
      {act === 'discard' && (
        <NoteField label={t('reason')} required maxLength={500} data-autofocus value={reason} onChange={setReason} />
      )}
    </ActDialog>
  )
}
