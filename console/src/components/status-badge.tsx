import { useTranslation } from 'react-i18next'
import type { terms } from '../language/en/terms.ts'
import { Badge, type BadgeColor } from './badge.tsx'

type Status = keyof (typeof terms)['status']

const colors: Readonly<Record<Status, BadgeColor>> = {
  scheduled: 'gray',
  created: 'blue',
  'broker-processing': 'blue',
  'carrier-processing': 'indigo',
  'pending-documents': 'orange',
  'pending-correction': 'orange',
  completed: 'green',
  rejected: 'red',
  cancelled: 'gray',
}

/** The status of an enrollment. @param label instead of its name, where there is little room. */
export function StatusBadge({ status, label }: { readonly status: Status; readonly label?: string }) {
  const { t } = useTranslation('terms')
  return <Badge color={colors[status]}>{label ?? t(`status.${status}`)}</Badge>
}
