import { Progress, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { TextLink } from '../../components/link.tsx'
import { formatNumber } from '../../format/number.ts'
import { useHeldDecisions } from './held-decisions.ts'

/** How far decisions are; once the service has them, that they go on without this page. */
export function JobProgress(props: {
  readonly label: string
  readonly settled: number
  readonly total: number
  readonly isAcknowledged: boolean
}) {
  const { t } = useTranslation('decisions')
  const isHeld = useHeldDecisions().length > 0
  const { label, settled, total, isAcknowledged } = props
  return (
    <div>
      <Progress value={(100 * settled) / total} aria-label={label} transitionDuration={0} />
      <Text size="sm" role="status">
        {t('running', { settled: formatNumber(settled), total: formatNumber(total) })}
      </Text>
      {isHeld && <Text size="sm">{t('jobs.held')}</Text>}
      {isAcknowledged && (
        <Text size="sm">
          {t('jobs.goesOn')} <TextLink to="/decision-jobs">{t('jobs.title')}</TextLink>
        </Text>
      )}
    </div>
  )
}
