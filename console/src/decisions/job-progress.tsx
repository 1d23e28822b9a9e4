import { Anchor, Progress, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../format/number.ts'

/** How far decisions are; once the service has them, that they go on without this page. */
export function JobProgress(props: {
  readonly label: string
  readonly settled: number
  readonly total: number
  readonly isAcknowledged: boolean
}) {
  const { t } = useTranslation('decisions')
  const { label, settled, total, isAcknowledged } = props
  return (
    <div>
      <Progress value={(100 * settled) / total} aria-label={label} transitionDuration={0} />
      <Text size="sm" role="status">
        {t('running', { settled: formatNumber(settled), total: formatNumber(total) })}
      </Text>
      {isAcknowledged && (
        <Text size="sm">
          {t('jobs.goesOn')}{' '}
          <Anchor size="sm" renderRoot={(root) => <Link to="/decision-jobs" {...root} />}>
            {t('jobs.title')}
          </Anchor>
        </Text>
      )}
    </div>
  )
}
