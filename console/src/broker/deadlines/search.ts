import { oneOf, searchOf, text } from '../../lists/search.ts'

/** The list that is shown, without `view` the deadlines of movements, and its filters; `days`: until which a deadline is due or a benefit ends. */
export const deadlinesSearchOf = searchOf({
  view: oneOf(['ageing', 'drafts']),
  kind: text,
  days: text,
  'company-tax-id': text,
  assignee: text,
})
export type DeadlinesSearch = ReturnType<typeof deadlinesSearchOf>

/** What each list of the page gets. */
export interface ListProps {
  readonly search: DeadlinesSearch
  readonly onChange: (part: { readonly [Name in keyof DeadlinesSearch]: string | null }) => void
}
