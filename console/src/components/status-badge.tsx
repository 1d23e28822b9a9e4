import { Badge } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { terms } from '../language/en/terms.ts'

type Status = keyof (typeof terms)['status']

const colors: Readonly<Record<Status, string>> = {
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

/** The status of an enrollment. */
export function StatusBadge({ status }: { readonly status: Status }) {
  const { t } = useTranslation('terms')
  return (
    // The colour is in the border alone: as text some have too little contrast.
    <Badge variant="outline" color={colors[status]} c="var(--mantine-color-text)" tt="none" className="status-badge">
      {t(`status.${status}`)}
    </Badge>
  )
}
