import { useTranslation } from 'react-i18next'
import { KeysDialog } from '../../components/keys-dialog.tsx'
import { keys } from './queue-keys.ts'

/** The keys of the queue. */
export function KeyList(props: {
  readonly opened: boolean
  readonly isEnabled: boolean
  readonly onEnable: (isEnabled: boolean) => void
  readonly onClose: () => void
}) {
  const { t } = useTranslation('queue')
  return (
    <KeysDialog
      {...props}
      title={t('keys.title')}
      hint={t('keys.hint')}
      keys={[...keys.map(([name, key]) => ({ key, label: t(`keys.${name}`) })), { key: 'z', label: t('keys.undo') }]}
      enableLabel={t('keys.enabled')}
    />
  )
}
