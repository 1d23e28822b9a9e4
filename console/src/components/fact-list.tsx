import type { ReactNode } from 'react'

interface Fact {
  readonly label: ReactNode
  readonly value: ReactNode
}

/** Those that are false are left out. */
export type Facts = readonly (Fact | false)[]

export const fact = (label: ReactNode, value: ReactNode): Fact => ({ label, value })

/** The facts of an object: terms and values, in as many columns as there is room for. */
export function FactList({ facts }: { readonly facts: Facts }) {
  return (
    <dl className="fact-list">
      {facts.map(
        (one, index) =>
          one !== false && (
            <div key={index}>
              <dt>{one.label}</dt>
              <dd>{one.value}</dd>
            </div>
          ),
      )}
    </dl>
  )
}
