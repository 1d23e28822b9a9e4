import { useTranslation } from 'react-i18next'
import { KeysDialog } from '../components/keys-dialog.tsx'
import { usePermission } from '../session/use-permission.ts'
import { useHasKeys } from './use-page-keys.ts'

const keys = [
  ['search', '/'],
  ['commands', 'Ctrl K'],
  ['help', '?'],
  ['leave', 'Escape'],
] as const

/** The keys of those who request movements. */
const movementKeys = [
  ['new', 'n'],
  ['inclusion', 'i'],
  ['exclusion', 'e'],
  ['alteration', 'a'],
  ['send', 'Ctrl Enter'],
  ['next', 'Alt N'],
  ['nextIntake', 'Alt Shift N'],
] as const

/** The keys of every page. The queue has a list of its own. */
export default function PageKeys({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation('shell')
  const [isEnabled, enable] = useHasKeys()
  const mayRequest = usePermission('includeMembersOfCompany')
  const shown = [...keys, ...(mayRequest ? movementKeys : [])]
  return (
    <KeysDialog
      opened
      title={t('keys.title')}
      hint={t('keys.hint')}
      keys={shown.map(([name, key]) => ({ key, label: t(`keys.${name}`) }))}
      enableLabel={t('keys.enabled')}
      isEnabled={isEnabled}
      onEnable={enable}
      onClose={onClose}
    />
  )
}
