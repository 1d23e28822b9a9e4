import type { Result } from '@vigencia/client'
import type { QueueSearch } from '../../entities/queue/queue-search.ts'

export type Statistics = Result<'readStatistics'>
export type Day = Statistics['days'][number]

/** The movements that were created on a day, or resolved on it: all, or with one status. */
export function linkOfDay(
  kind: 'created' | 'resolved' | 'completed' | 'rejected' | 'cancelled',
  day: string,
): QueueSearch {
  if (kind === 'created') return { status: 'all', 'from-dt': day, 'until-dt': day }
  return { status: kind === 'resolved' ? 'all' : kind, 'resolved-from-dt': day, 'resolved-until-dt': day }
}
