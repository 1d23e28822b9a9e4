import './object-head.css'
import type { ReactNode } from 'react'

export interface KeyNumber {
  readonly label: ReactNode
  readonly value: ReactNode
  /** Somebody has to do something about it. */
  readonly isAlarm?: boolean
}

export const keyNumber = (label: ReactNode, value: ReactNode, isAlarm = false): KeyNumber => ({ label, value, isAlarm })

/** The three to seven numbers of an object that its reader looks for. Those that are false are left out. */
export function KeyNumbers({ numbers }: { readonly numbers: readonly (KeyNumber | false)[] }) {
  return (
    <dl className="key-numbers">
      {numbers.map(
        (one, index) =>
          one !== false && (
            <div key={index} {...(one.isAlarm === true ? { 'data-alarm': 'true' } : {})}>
              <dt>{one.label}</dt>
              <dd>{one.value}</dd>
            </div>
          ),
      )}
    </dl>
  )
}
