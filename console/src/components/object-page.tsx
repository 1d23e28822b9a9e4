import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { PageHeader } from './page-header.tsx'
import { Forbidden, QueryView } from './state-view.tsx'

/** The page of an object, which has a header of its own. @param props.title until the object is there, and where it is not. */
export function ObjectPage<T>(props: {
  readonly query: UseQueryResult<T>
  readonly title: ReactNode
  readonly mayRead?: boolean
  readonly children: (data: T) => ReactNode
}) {
  const { query, title, mayRead = true, children } = props
  if (mayRead && query.data !== undefined) return children(query.data)
  return (
    <>
      <PageHeader title={title} />
      {mayRead ? <QueryView query={query}>{() => null}</QueryView> : <Forbidden />}
    </>
  )
}
