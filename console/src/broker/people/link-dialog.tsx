import { useTranslation } from 'react-i18next'
import { CopyField, ShownOnceDialog } from '../../entities/accounts/shown-once-dialog.tsx'

/** The link with which a person sets a password. */
export function LinkDialog(props: {
  /** null: the dialog is closed. */
  readonly link: string | null
  /** Whether the person gets it by e-mail, too. */
  readonly mailed: boolean
  readonly title: string
  readonly onClose: () => void
}) {
  const { link, mailed, title, onClose } = props
  const { t } = useTranslation('people')
  return (
    <ShownOnceDialog
      isLink
      opened={link !== null}
      title={title}
      explanation={t(mailed ? 'linkMailed' : 'linkExplanation')}
      onClose={onClose}
    >
      {link !== null && <CopyField label={t('link')} copy={t('copyLink')} value={link} isFirst />}
    </ShownOnceDialog>
  )
}
