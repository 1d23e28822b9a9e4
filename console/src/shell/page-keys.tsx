import { useTranslation } from 'react-i18next'
import { KeysDialog } from '../components/keys-dialog.tsx'
import { useHasKeys } from './use-page-keys.ts'

const keys = [
  ['search', '/'],
  ['commands', 'Ctrl K'],
  ['help', '?'],
  ['leave', 'Escape'],
] as const

/** The keys of every page. The queue has a list of its own. */
export default function PageKeys({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation('shell')
  const [isEnabled, enable] = useHasKeys()
  return (
    <KeysDialog
      opened
      title={t('keys.title')}
      hint={t('keys.hint')}
      keys={keys.map(([name, key]) => ({ key, label: t(`keys.${name}`) }))}
      enableLabel={t('keys.enabled')}
      isEnabled={isEnabled}
      onEnable={enable}
      onClose={onClose}
    />
  )
}
