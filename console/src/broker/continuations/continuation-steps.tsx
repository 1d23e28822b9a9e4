import { useTranslation } from 'react-i18next'
import type { ContinuationStatus } from '../../../../src/coverage/rules/continuation.ts'
import { type Step, Steps } from '../../components/steps.tsx'
import type { Continuation } from '../../entities/continuations/continuation.ts'
import { formatDate } from '../../format/date.ts'

/** The step that a continuation of each status is at. */
const stepOf: Readonly<Record<ContinuationStatus, string>> = {
  'no-right': 'no-right',
  'notice-pending': 'notice',
  offered: 'option',
  declined: 'option',
  expired: 'option',
  accepted: 'option',
  active: 'active',
  ended: 'ended',
}

/** How far a continuation is: the notice of the employer, the answer of the person, the term and its end. */
export function ContinuationSteps({ continuation: one }: { readonly continuation: Continuation }) {
  const { t } = useTranslation('continuations')
  const { status, 'option-until': until } = one
  const notice: Step = { key: 'notice', name: t('steps.notice'), at: one['notice-date'] }
  const isAnswered = status !== 'notice-pending' && status !== 'offered'
  const option: Step = {
    key: 'option',
    name: isAnswered && stepOf[status] === 'option' ? t(`statuses.${status}`) : t('option'),
    at: one['option-date'],
    note: !isAnswered && until !== null ? t('steps.until', { date: formatDate(until) }) : null,
  }
  const start = one['term-start']
  const hasStarted = status === 'active' || status === 'ended'
  const active: Step = {
    key: 'active',
    name: t('statuses.active'),
    ...(hasStarted ? { at: start } : start === null ? {} : { note: t('steps.from', { date: formatDate(start) }) }),
  }
  const isOver = status === 'declined' || status === 'expired'
  const end = one['end-date']
  const ended: Step = {
    key: 'ended',
    name: t('statuses.ended'),
    at: end,
    note:
      one['end-reason'] !== null
        ? t(`endReasons.${one['end-reason']}`)
        : end === null && one['term-end'] !== null
          ? t('steps.until', { date: formatDate(one['term-end']) })
          : null,
  }
  if (status === 'no-right') {
    return (
      <Steps label={t('steps.label')} steps={[{ key: status, name: t('statuses.no-right') }]} present={status} isDone />
    )
  }
  return (
    <Steps
      label={t('steps.label')}
      steps={[notice, option, !isOver && active, !isOver && ended]}
      present={stepOf[status]}
      isDone={isOver || status === 'ended'}
    />
  )
}
