import { Badge } from '@mantine/core'
import type { Item } from '@vigencia/client'
import { useTranslation } from 'react-i18next'

const colors = { running: 'blue', done: 'green', broken: 'red' } as const

export function ImportStatusBadge({ status }: { readonly status: Item<'listImports'>['status'] }) {
  const { t } = useTranslation('terms')
  return (
    <Badge variant="outline" color={colors[status]} tt="none" className="status-badge">
      {t(`importStatus.${status}`)}
    </Badge>
  )
}
