import { Alert, Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useOperation } from '../../api/use-operation.ts'
import { Value } from '../../components/value.tsx'
import { HoldDialog } from './hold-dialog.tsx'
import { ReleaseDialog } from './release-dialog.tsx'

/** Whether the data of a person may be deleted: a legal hold is set, or released. */
export function LegalHold({ taxId }: { readonly taxId: string }) {
  const { t } = useTranslation('erasure')
  const { data } = useOperation('listLegalHolds', { query: { 'tax-id': taxId, 'in-force': true } })
  const [isOpen, setOpen] = useState(false)
  if (data === undefined) return null
  const [hold] = data.result
  const close = () => setOpen(false)
  return (
    <>
      {hold !== undefined && (
        <Alert color="orange" variant="default" mt="md" title={t('hold.inForce')}>
          <Value>{hold.reason}</Value>
        </Alert>
      )}
      <Button mt="md" variant="default" onClick={() => setOpen(true)}>
        {t(hold === undefined ? 'hold.set' : 'hold.release')}
      </Button>
      {isOpen && hold === undefined && <HoldDialog taxId={taxId} onClose={close} />}
      {isOpen && hold !== undefined && <ReleaseDialog hold={hold} onClose={close} />}
    </>
  )
}
