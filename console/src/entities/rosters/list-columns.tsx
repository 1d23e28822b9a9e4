import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../format/number.ts'
import { column, date, number, text, timestamp } from '../../lists/columns.tsx'
import type { RosterSync } from './client.ts'
import { RosterStatusBadge } from './status-badge.tsx'

/** The columns of lists of people. @param linkOf leads to one of them. */
export function useListColumns(linkOf: (sync: RosterSync) => ReactNode) {
  const { t } = useTranslation('rosters')
  return {
    sent: column<RosterSync>(t('sentAt'), '9rem', linkOf),
    others: [
      column<RosterSync>(t('status'), '9rem', ({ status }) => <RosterStatusBadge status={status} />),
      column<RosterSync>(t('outcome'), 'minmax(11rem, 1fr)', (sync) => <Outcome sync={sync} />),
      date<RosterSync>(t('asOf'), 'as-of'),
      number<RosterSync>(t('lines'), 'lines', '5rem'),
      text<RosterSync>(t('file'), 'file-name'),
      text<RosterSync>(t('createdBy'), 'created-by'),
      text<RosterSync>(t('reference'), 'reference'),
      timestamp<RosterSync>(t('finishedAt'), 'finished-at'),
    ],
  }
}

/** What the comparison came to. */
function Outcome({ sync }: { readonly sync: RosterSync }) {
  const { t } = useTranslation(['rosters', 'terms'])
  const [problem] = sync.problems
  if (problem !== undefined) return <>{t(`terms:rosterProblem.${problem.problem}`)}</>
  if (sync.status !== 'compared') return null
  if (sync.doubts.length > 0) {
    return <>{t('rosters:hasDoubts', { count: sync.doubts.length, formatted: formatNumber(sync.doubts.length) })}</>
  }
  return <>{t(sync['draft-id'] === null ? 'rosters:nothingDiffers' : 'rosters:differs')}</>
}
