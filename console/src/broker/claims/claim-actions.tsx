import { Button, Menu, Text, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CLAIM_STEPS } from '../../../../src/money/rules/claim.ts'
import { api } from '../../api/client.ts'
import { ActDialog } from '../../components/act-dialog.tsx'
import { MoreMenu } from '../../components/more-menu.tsx'
import { NoteField } from '../../components/note-field.tsx'
import { usePermission } from '../../session/use-permission.ts'
import type { Claim } from './claim.ts'

type Act = (typeof CLAIM_STEPS)[Claim['status']][number] | 'delete'

/** What may be said of a claim in its status; a draft can be deleted too. */
export function ClaimActions({ claim }: { readonly claim: Claim }) {
  const { t } = useTranslation('claims')
  const mayMove = usePermission('moveClaim')
  const [act, setAct] = useState<Act | null>(null)
  if (!mayMove) return null
  const steps: readonly Act[] = CLAIM_STEPS[claim.status]
  const [next] = steps
  return (
    <>
      {next !== undefined && next !== 'refused' && <Button onClick={() => setAct(next)}>{t(`act.${next}`)}</Button>}
      <MoreMenu>
        {steps.includes('refused') && <Menu.Item onClick={() => setAct('refused')}>{t('act.refused')}</Menu.Item>}
        {claim.status === 'draft' && (
          <Menu.Item color="red" onClick={() => setAct('delete')}>
            {t('act.delete')}
          </Menu.Item>
        )}
      </MoreMenu>
      {act !== null && <ClaimActDialog claim={claim} act={act} onClose={() => setAct(null)} />}
    </>
  )
}

/** Asks before, and for the protocol of the carrier or a note. */
function ClaimActDialog(props: { readonly claim: Claim; readonly act: Act; readonly onClose: () => void }) {
  const { claim, act, onClose } = props
  const { t } = useTranslation('claims')
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const [protocol, setProtocol] = useState(claim['carrier-protocol'] ?? '')
  const [note, setNote] = useState(claim.note ?? '')
  const id = claim['claim-id']
  return (
    <ActDialog
      action={t(`act.${act}`)}
      isDestructive={act === 'delete'}
      act={async () => {
        if (act === 'delete') return api.claims.delete(id)
        await api.claims.move(id, {
          status: act,
          ...(protocol.trim() === '' ? {} : { 'carrier-protocol': protocol.trim() }),
          ...(note.trim() === '' ? {} : { note: note.trim() }),
        })
      }}
      done={t(`done.${act}`)}
      onDone={async () => {
        if (act !== 'delete') return
        await navigate({ to: '/claims' })
        queryClient.removeQueries({ queryKey: ['readClaim'] })
      }}
      onClose={onClose}
    >
      <Text size="sm">{t(`actText.${act}`)}</Text>
      {act !== 'delete' && (
        <>
          <TextInput
            label={t('protocol')}
            size="sm"
            maxLength={60}
            autoComplete="off"
            data-autofocus
            value={protocol}
            onChange={({ currentTarget: { value } }) => setProtocol(value)}
          />
          <NoteField label={t('note')} maxLength={2_000} value={note} onChange={setNote} />
        </>
      )}
    </ActDialog>
  )
}
