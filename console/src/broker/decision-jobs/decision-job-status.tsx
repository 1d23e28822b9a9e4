import type { DecisionJob } from '@vigencia/client'
import { useTranslation } from 'react-i18next'
import { Badge } from '../../components/badge.tsx'

const colors = { waiting: 'gray', running: 'blue', done: 'green', broken: 'red', undone: 'gray' } as const

export function DecisionJobStatus({ job: { status } }: { readonly job: DecisionJob }) {
  const { t } = useTranslation('decisions')
  return <Badge color={colors[status]}>{t(`jobs.statusOf.${status}`)}</Badge>
}
