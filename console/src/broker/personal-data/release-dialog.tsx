import { Text } from '@mantine/core'
import type { Item } from '@vigencia/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { ActDialog } from '../../components/act-dialog.tsx'
import { NoteField } from '../../components/note-field.tsx'

export type Hold = Item<'listLegalHolds'>

/** Asks why a legal hold ends, and releases it. */
export function ReleaseDialog({ hold, onClose }: { readonly hold: Hold; readonly onClose: () => void }) {
  const { t } = useTranslation('erasure')
  const [reason, setReason] = useState('')
  return (
    <ActDialog
      action={t('hold.release')}
      isDisabled={reason.trim() === ''}
      act={() => api.legalHolds.release(hold['legal-hold-id'], { reason: reason.trim() })}
      done={t('hold.releaseDone')}
      onClose={onClose}
    >
      <Text size="sm">{t('hold.releaseText')}</Text>
      <NoteField label={t('hold.reason')} required maxLength={500} value={reason} onChange={setReason} />
    </ActDialog>
  )
}
