import { useTranslation } from 'react-i18next'
import { CopyField, ShownOnceDialog } from '../../entities/accounts/shown-once-dialog.tsx'

/** The link with which a person sets a password. */
export function LinkDialog(props: {
  /** null: the dialog is closed. */
  readonly link: string | null
  readonly title: string
  readonly onClose: () => void
}) {
  const { link, title, onClose } = props
  const { t } = useTranslation('people')
  return (
    <ShownOnceDialog isLink opened={link !== null} title={title} explanation={t('linkExplanation')} onClose={onClose}>
      {link !== null && <CopyField label={t('link')} copy={t('copyLink')} value={link} isFirst />}
    </ShownOnceDialog>
  )
}
