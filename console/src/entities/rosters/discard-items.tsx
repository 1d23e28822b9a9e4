import { Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActDialog } from '../../components/act-dialog.tsx'
import { NoteField } from '../../components/note-field.tsx'
import { formatNumber } from '../../format/number.ts'
import type { DraftClass } from '../../../../src/kernel/movement-drafts.ts'
import type { DraftItem } from '../movement-drafts/draft.ts'
import { useRosterClient } from './client.ts'

/** What is discarded: items, or all of a class, or all of the draft. */
export interface ToDiscard {
  readonly items: readonly DraftItem[] | null
  readonly name: DraftClass | null
  readonly count: number
}

/** Asks before items are discarded. An operator says why, which the company reads. */
export function DiscardItems(props: {
  readonly draftId: string
  readonly asked: ToDiscard
  readonly onDone: () => void
  readonly onClose: () => void
}) {
  const { t } = useTranslation(['rosters', 'drafts'])
  const { draftId, asked, onDone, onClose } = props
  const { items, name, count } = asked
  const { isBroker, discard } = useRosterClient()
  const [reason, setReason] = useState('')
  const counted = { count, formatted: formatNumber(count) }
  return (
    <ActDialog
      title={t('rosters:discardTitle', counted)}
      action={t('drafts:actOne.discard')}
      isDestructive
      isDisabled={isBroker && reason.trim() === ''}
      act={() =>
        discard(draftId, {
          ...(items !== null && { items: items.map(({ number }) => ({ number })) }),
          ...(items === null && name !== null && { classes: [name] }),
          ...(reason.trim() !== '' && { reason: reason.trim() }),
        })
      }
      done={t('rosters:discarded', counted)}
      onDone={onDone}
      onClose={onClose}
    >
      <Text size="sm">{t('rosters:discardText')}</Text>
      <NoteField
        label={t('drafts:reason')}
        required={isBroker}
        maxLength={500}
        data-autofocus
        value={reason}
        onChange={setReason}
      />
    </ActDialog>
  )
}
