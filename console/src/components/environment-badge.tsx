import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Badge } from './badge.tsx'
import { signInOptionsQuery } from '../session/sign-in-options.ts'

/** Whether what is decided here is real. */
export function EnvironmentBadge() {
  const { t } = useTranslation('shell')
  const environment = useQuery(signInOptionsQuery).data?.environment
  if (environment === undefined) return null
  return <Badge color={environment === 'staging' ? 'orange' : 'green'}>{t(`environment.${environment}`)}</Badge>
}
