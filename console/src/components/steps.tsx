import './object-head.css'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { DateValue, TimestampValue, Value } from './value.tsx'

export interface Step {
  readonly key: string
  readonly name: ReactNode
  /** When it was done, an instant or a day, and by whom: only of those that are done. */
  readonly at?: string | null
  readonly by?: string | null
  /** What else is to be said about it, such as until when it is to be done. */
  readonly note?: ReactNode
}

/** The way of an object. Those before the present step are done. @param props.present the key of the step that the object is at. */
export function Steps(props: {
  readonly label: string
  readonly steps: readonly (Step | false)[]
  readonly present: string
  /** The present step is the last one, and all is done. */
  readonly isDone?: boolean
}) {
  const { label, present, isDone = false } = props
  const { t } = useTranslation('states')
  const steps = props.steps.filter((step) => step !== false)
  const at = steps.findIndex(({ key }) => key === present)
  return (
    <ol className="steps" aria-label={label}>
      {steps.map((step, index) => {
        const isBefore = index < at || (index === at && isDone)
        return (
          <li
            key={step.key}
            data-state={isBefore ? 'done' : index === at ? 'present' : 'ahead'}
            {...(index === at ? { 'aria-current': 'step' as const } : {})}
          >
            <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden>
              <circle cx="8" cy="8" r="7" />
              {isBefore ? (
                <path d="M4.7 8.2l2.3 2.3 4.3-4.6" />
              ) : (
                index === at && <circle className="dot" cx="8" cy="8" r="3" />
              )}
            </svg>
            <span className="name">
              {step.name}
              {isBefore && <span className="visually-hidden"> ({t('stepDone')})</span>}
            </span>
            <StepDetails step={step} />
          </li>
        )
      })}
    </ol>
  )
}

function StepDetails({ step: { at, by, note } }: { readonly step: Step }) {
  return (
    <>
      {at != null && (
        <span className="detail">
          {at.length === '2026-11-22'.length ? <DateValue value={at} /> : <TimestampValue value={at} />}
        </span>
      )}
      {by != null && by !== '' && (
        <span className="detail">
          <Value>{by}</Value>
        </span>
      )}
      {note != null && <span className="detail">{note}</span>}
    </>
  )
}
