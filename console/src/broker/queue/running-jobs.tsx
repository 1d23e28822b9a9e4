import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { operationQuery } from '../../api/use-operation.ts'
import { ButtonLink } from '../../components/link.tsx'
import { formatNumber } from '../../format/number.ts'

const newest = { query: { 'items-per-page': 20 } }
/** While a job runs, and otherwise: another operator, or another tab, may begin one. */
const [runningMilliseconds, otherMilliseconds] = [2_000, 30_000]

/** Says how far the jobs of decisions are that have not ended, and leads to them. */
export function RunningJobs() {
  const { t } = useTranslation('decisions')
  const { data } = useQuery({
    ...operationQuery('listDecisionJobs', newest),
    refetchInterval: ({ state }) =>
      state.data?.result.some((one) => one['finished-at'] === null) === true ? runningMilliseconds : otherMilliseconds,
  })
  const running = (data?.result ?? []).filter((one) => one['finished-at'] === null)
  if (running.length === 0) return null
  const sum = (field: 'done' | 'lines') => formatNumber(running.reduce((total, one) => total + one[field], 0))
  return (
    <ButtonLink to="/decision-jobs" variant="default" size="xs">
      {t('jobs.running', { done: sum('done'), lines: sum('lines') })}
    </ButtonLink>
  )
}
