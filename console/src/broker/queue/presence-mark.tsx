import IconEye from 'icon:eye'
import { useTranslation } from 'react-i18next'
import { usePresenceAt } from '../../entities/queue/presence.ts'

/** That others have the movement of a row open. */
export function PresenceMark({ enrollmentId }: { readonly enrollmentId: string }) {
  const { t } = useTranslation('queue')
  const names = usePresenceAt(enrollmentId)
  if (names === '') return null
  const words = t('openAt', { names })
  return (
    <span className="presence-mark" role="img" aria-label={words} title={words} translate="no">
      <IconEye size={14} stroke={1.8} aria-hidden />
    </span>
  )
}
