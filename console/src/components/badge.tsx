import type { ReactNode } from 'react'

export type BadgeColor = 'gray' | 'blue' | 'indigo' | 'orange' | 'green' | 'red'

interface Props {
  readonly color: BadgeColor
  readonly children: ReactNode
}

/** A word in a border of a colour. A plain element: lists have one in each row. As text some colours have too little contrast. */
export function Badge({ color, children }: Props) {
  return (
    <span className="badge" style={{ borderColor: `var(--mantine-color-${color}-outline)` }}>
      {children}
    </span>
  )
}
