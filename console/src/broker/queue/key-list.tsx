import { useTranslation } from 'react-i18next'
import { KeysDialog } from '../../components/keys-dialog.tsx'
import { usePermission } from '../../session/use-permission.ts'
import { keys } from './queue-keys.ts'

/** The keys of the queue. */
export function KeyList(props: {
  readonly opened: boolean
  readonly isEnabled: boolean
  readonly onEnable: (isEnabled: boolean) => void
  readonly onClose: () => void
}) {
  const { t } = useTranslation('queue')
  const mayRequest = usePermission('includeMembersOfCompany')
  return (
    <KeysDialog
      {...props}
      title={t('keys.title')}
      hint={t('keys.hint')}
      keys={[
        ...keys.map(([name, key]) => ({ key, label: t(`keys.${name}`) })),
        { key: 'z', label: t('keys.undo') },
        ...(mayRequest ? [{ key: 'n', label: t('keys.new') }] : []),
      ]}
      enableLabel={t('keys.enabled')}
    />
  )
}
