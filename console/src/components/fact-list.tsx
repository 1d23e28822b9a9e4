import type { ReactNode } from 'react'

export interface Fact {
  readonly key: string
  readonly label: ReactNode
  readonly value: ReactNode
}

export const fact = (key: string, label: ReactNode, value: ReactNode): Fact => ({ key, label, value })

/** The facts of an object: terms and values, in as many columns as there is room for. */
export function FactList({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl className="fact-list">
      {facts.map(({ key, label, value }) => (
        <div key={key}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
