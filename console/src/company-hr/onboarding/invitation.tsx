import type { ResponseBody } from '@vigencia/client'
import { useTranslation } from 'react-i18next'
import type { OnboardingStatus } from '../../../../src/movements/rules/onboarding.ts'
import { Badge, type BadgeColor } from '../../components/badge.tsx'

export type Review = ResponseBody<'readOnboardingInvitation'>['result']

const colors: Readonly<Record<OnboardingStatus, BadgeColor>> = {
  sent: 'gray',
  opened: 'blue',
  submitted: 'orange',
  returned: 'indigo',
  approved: 'green',
  expired: 'gray',
  revoked: 'gray',
  blocked: 'red',
}

export function InvitationStatusBadge({ status }: { readonly status: OnboardingStatus }) {
  const { t } = useTranslation('onboarding')
  return <Badge color={colors[status]}>{t(`statuses.${status}`)}</Badge>
}
