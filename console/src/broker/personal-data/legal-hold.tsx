import { Alert } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useOperation } from '../../api/use-operation.ts'
import { Value } from '../../components/value.tsx'
import { HoldDialog } from './hold-dialog.tsx'
import { ReleaseDialog } from './release-dialog.tsx'
import { DialogButton } from '../../components/dialog.tsx'

/** Whether the data of a person may be deleted: a legal hold is set, or released. */
export function LegalHold({ taxId }: { readonly taxId: string }) {
  const { t } = useTranslation('erasure')
  const { data } = useOperation('listLegalHolds', { query: { 'tax-id': taxId, 'in-force': true } })
  if (data === undefined) return null
  const [hold] = data.result
  return (
    <>
      {hold !== undefined && (
        <Alert color="orange" variant="default" mt="md" title={t('hold.inForce')}>
          <Value>{hold.reason}</Value>
        </Alert>
      )}
      <DialogButton
        mt="md"
        variant="default"
        dialog={(close) =>
          hold === undefined ? (
            <HoldDialog taxId={taxId} onClose={close} />
          ) : (
            <ReleaseDialog hold={hold} onClose={close} />
          )
        }
      >
        {t(hold === undefined ? 'hold.set' : 'hold.release')}
      </DialogButton>
    </>
  )
}
