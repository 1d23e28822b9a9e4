import type { Result } from '@vigencia/client'

export type Request = Result<'readAnyRequest'>
type PartOfApi = Request['status-by-tax-id'][string][string]

/** One product of one person in a request. */
export interface Part extends PartOfApi {
  readonly id: string
  readonly taxId: string
  readonly product: string
}

/** The parts of a request as rows, in the order of the response. */
export function partsOf(request: Pick<Request, 'status-by-tax-id'>): readonly Part[] {
  return Object.entries(request['status-by-tax-id']).flatMap(([taxId, products]) =>
    Object.entries(products).map(([product, part]) => ({ ...part, id: `${taxId} ${product}`, taxId, product })),
  )
}

/** The number of parts in each status. */
export interface PartCounts {
  readonly created: number
  readonly failed: number
  readonly processing: number
  readonly total: number
}

export function countsOf({ 'part-summary': summary }: Request): PartCounts {
  const { 'enrollment-created': created = 0, failed = 0, processing = 0 } = summary
  return { created, failed, processing, total: created + failed + processing }
}

/** The offenses of failed parts, the most frequent first, with the number of parts of each. */
export function offenseCounts(parts: readonly Part[]): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>()
  for (const offense of parts.flatMap(({ offenses = [] }) => offenses)) {
    counts.set(offense, (counts.get(offense) ?? 0) + 1)
  }
  return [...counts].toSorted(([, one], [, other]) => other - one)
}
