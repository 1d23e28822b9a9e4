import { Text } from '@mantine/core'
import IconUsers from 'icon:users'
import { useTranslation } from 'react-i18next'
import { useOwnPresence } from '../../entities/queue/presence.ts'
import { currentLanguage } from '../../language/language.ts'

/** Who else has the movement open. */
export function Presence({ enrollmentId }: { readonly enrollmentId: string }) {
  const { t } = useTranslation('movement')
  const names = useOwnPresence(enrollmentId)
  return (
    <div role="status" className="no-print">
      {names.length > 0 && (
        <Text size="sm" fw={600} c="var(--mantine-color-orange-text)" translate="no">
          <IconUsers size={16} stroke={1.6} aria-hidden style={{ verticalAlign: 'text-bottom' }} />{' '}
          {t('alsoHere', { count: names.length, names: new Intl.ListFormat(currentLanguage()).format(names) })}
        </Text>
      )}
    </div>
  )
}
