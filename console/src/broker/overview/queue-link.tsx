import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { NumberValue } from '../../components/value.tsx'
import type { QueueSearch } from '../queue/queue-search.ts'

/** A number of movements that leads to them. */
export function QueueLink({
  count,
  search,
  size = 'sm',
  children,
}: {
  readonly count: number
  readonly search: QueueSearch
  readonly size?: string
  /** After the number. */
  readonly children?: ReactNode
}) {
  return (
    <Anchor
      size={size}
      {...(count === 0 ? { c: 'dimmed' } : {})}
      renderRoot={(props) => <Link to="/queue" search={search} {...props} />}
    >
      <NumberValue value={count} />
      {children}
    </Anchor>
  )
}
