import { Badge } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { PartStatus, RequestStatus } from '../../../../src/domain/enums.ts'

const colors: Readonly<Record<RequestStatus, string>> = {
  processing: 'blue',
  completed: 'green',
  'partial-failure': 'orange',
  failed: 'red',
}

const partColors: Readonly<Record<PartStatus, string>> = {
  processing: 'blue',
  'enrollment-created': 'green',
  failed: 'red',
}

export function RequestStatusBadge({ status }: { readonly status: RequestStatus }) {
  const { t } = useTranslation('terms')
  return (
    <Badge variant="outline" color={colors[status]} tt="none" className="status-badge">
      {t(`requestStatus.${status}`)}
    </Badge>
  )
}

/** The outcome of one part of a request. */
export function PartStatusBadge({ status }: { readonly status: PartStatus }) {
  const { t } = useTranslation('terms')
  return (
    <Badge variant="outline" color={partColors[status]} tt="none" className="status-badge">
      {t(`partStatus.${status}`)}
    </Badge>
  )
}
