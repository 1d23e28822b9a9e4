import { useTranslation } from 'react-i18next'
import type { NewSecret } from './accounts.ts'
import { CopyField, ShownOnceDialog } from './shown-once-dialog.tsx'

/** A new secret of an account. */
export function SecretDialog(props: {
  /** null: the dialog is closed. */
  readonly secret: NewSecret | null
  readonly title: string
  readonly onClose: () => void
}) {
  const { secret, title, onClose } = props
  const { t } = useTranslation('accounts')
  return (
    <ShownOnceDialog opened={secret !== null} title={title} explanation={t('shownOnce')} onClose={onClose}>
      {secret !== null && (
        <>
          <CopyField label={t('clientId')} copy={t('copyClientId')} value={secret['client-id']} />
          <CopyField label={t('clientSecret')} copy={t('copyClientSecret')} value={secret['client-secret']} isFirst />
        </>
      )}
    </ShownOnceDialog>
  )
}
