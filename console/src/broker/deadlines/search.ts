/** The list that is shown and its filters; those of the API under its names. */
export interface DeadlinesSearch {
  /** Without it: the deadlines of movements. */
  readonly view?: 'ageing' | 'drafts'
  readonly kind?: string
  /** Days from today until which a deadline is due, or a benefit ends. */
  readonly days?: string
  readonly 'company-tax-id'?: string
  readonly assignee?: string
}

const names = ['kind', 'days', 'company-tax-id', 'assignee'] as const

export function deadlinesSearchOf(raw: Readonly<Record<string, unknown>>): DeadlinesSearch {
  const view = raw['view']
  return Object.fromEntries([
    ...(view === 'ageing' || view === 'drafts' ? [['view', view]] : []),
    ...names.flatMap((name) => (typeof raw[name] === 'string' && raw[name] !== '' ? [[name, raw[name]]] : [])),
  ])
}

/** What each list of the page gets. */
export interface ListProps {
  readonly search: DeadlinesSearch
  readonly onChange: (part: { readonly [Name in keyof DeadlinesSearch]: string | null }) => void
}
