import type { ReactNode } from 'react'
import { TextLink } from '../../components/link.tsx'
import { NumberValue } from '../../components/value.tsx'
import type { QueueSearch } from '../../entities/queue/queue-search.ts'

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
    <TextLink to="/queue" search={search} size={size} {...(count === 0 ? { c: 'dimmed' } : {})}>
      <NumberValue value={count} />
      {children}
    </TextLink>
  )
}
