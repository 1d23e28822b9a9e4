import type { Item } from '@vigencia/client'
import { useTranslation } from 'react-i18next'
import { Badge } from '../../components/badge.tsx'

const colors = { running: 'blue', done: 'green', broken: 'red' } as const

export function ImportStatusBadge({ status }: { readonly status: Item<'listImports'>['status'] }) {
  const { t } = useTranslation('terms')
  return <Badge color={colors[status]}>{t(`importStatus.${status}`)}</Badge>
}
