import type { ReactNode } from 'react'

export type BadgeColor = 'gray' | 'blue' | 'indigo' | 'orange' | 'green' | 'red'

interface Props {
  readonly color: BadgeColor
  readonly children: ReactNode
}

/** A word on a tint of a color. A plain element: lists have one in each row. */
export function Badge({ color, children }: Props) {
  return (
    <span className="badge" data-color={color}>
      {children}
    </span>
  )
}
