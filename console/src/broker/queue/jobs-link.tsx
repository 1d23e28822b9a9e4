import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { operationQuery } from '../../api/use-operation.ts'
import { ButtonLink } from '../../components/link.tsx'
import { formatNumber } from '../../format/number.ts'

const newest = { query: { 'items-per-page': 20 } }
/** While a job runs, and otherwise: another operator, or another tab, may begin one. */
const [runningMilliseconds, otherMilliseconds] = [2_000, 30_000]

/** Leads to the jobs of decisions, and says how far those are that have not ended. */
export function JobsLink() {
  const { t } = useTranslation('decisions')
  const { data } = useQuery({
    ...operationQuery('listDecisionJobs', newest),
    refetchInterval: ({ state }) =>
      state.data?.result.some((one) => one['finished-at'] === null) === true ? runningMilliseconds : otherMilliseconds,
  })
  const running = (data?.result ?? []).filter((one) => one['finished-at'] === null)
  const sum = (field: 'done' | 'lines') => formatNumber(running.reduce((total, one) => total + one[field], 0))
  const text = running.length === 0 ? t('jobs.title') : t('jobs.running', { done: sum('done'), lines: sum('lines') })
  return (
    <ButtonLink to="/decision-jobs" variant={running.length === 0 ? 'default' : 'light'} size="xs">
      {text}
    </ButtonLink>
  )
}
