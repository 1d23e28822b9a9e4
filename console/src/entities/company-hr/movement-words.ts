import type { Enrollment } from '@vigencia/client'
import { useTranslation } from 'react-i18next'
import { formatDate } from '../../format/date.ts'

/** What the status of a movement means for the company, in a sentence. */
export function useMovementWords(): (
  movement: Pick<Enrollment, 'status' | 'scheduled-action-date' | 'enrollment-type'>,
) => string {
  const { t } = useTranslation('hr')
  return ({ status, 'scheduled-action-date': day, 'enrollment-type': type }) => {
    if (status === 'scheduled' && day !== null) return t('words.scheduled', { date: formatDate(day) })
    if (status === 'completed') return t(`words.completed.${type}`)
    return t(`words.${status}`)
  }
}
