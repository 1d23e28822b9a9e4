import type { AllowedAge } from '#registry/rules/age-limit.ts'
import { MAX_TEXT_CHARACTERS } from '#kernel/field-types.ts'
import { pathOfItem, type ProductItem } from './inclusion-batch.ts'
import type { Message } from '#kernel/messages.ts'
import type { Hint } from './suggestions.ts'
import { fieldOfOffense, type Offense } from '#kernel/offenses.ts'

/** An offense with the field that it concerns, a path within the member, and the product as it was sent. */
export interface OffenseDetail {
  readonly code: Offense
  readonly field: string
  readonly 'product-name'?: string
  /** The limits of `dependent-too-old`; where the product does not allow a value, those that it allows. */
  readonly allowed?: AllowedAge | readonly string[]
  /** What was most likely meant. */
  readonly suggestion?: string
  /** Only for `invalid-documents`: the first document that is not usable, from 0. */
  readonly 'document-index'?: number
  readonly reason?: 'unknown' | 'invalid'
  readonly message?: Message
}

/** What a product adds to an offense. */
type OfProduct = Pick<OffenseDetail, 'allowed' | 'suggestion'>

/** Products listed for one offense of a member, so that a batch of many bad products has no response of many times its size. */
const MAX_PRODUCTS = 5

/** The offenses of a member, each with the products that it concerns; none for one of the member as such. */
export class MemberOffenses {
  readonly #products = new Map<Offense, { readonly item: ProductItem; readonly more: OfProduct }[]>()
  readonly #hints: ReadonlyMap<Offense, Hint>
  #document: number | null = null

  /** @param hints about the member's own fields. */
  constructor(codes: readonly Offense[], hints: ReadonlyMap<Offense, Hint> = new Map()) {
    this.#hints = hints
    for (const code of codes) this.add(code)
  }

  get size(): number {
    return this.#products.size
  }

  has(code: Offense): boolean {
    return this.#products.has(code)
  }

  /** A document that does not exist, is another client's, or is used. */
  addDocument(index: number): void {
    this.add('invalid-documents')
    this.#document ??= index
  }

  add(code: Offense, item?: ProductItem, more: OfProduct = {}): void {
    let items = this.#products.get(code)
    if (items === undefined) this.#products.set(code, (items = []))
    if (item === undefined || items.length === MAX_PRODUCTS) return
    if (items.every((known) => known.item !== item)) items.push({ item, more })
  }

  /** Sorted. */
  codes(): Offense[] {
    return [...this.#products.keys()].sort()
  }

  /** In the order of the codes. */
  details(): OffenseDetail[] {
    return this.codes().flatMap((code): OffenseDetail[] => {
      const field = fieldOfOffense(code)
      const items = this.#products.get(code) ?? []
      if (code === 'invalid-documents' && this.#document !== null) {
        const index = this.#document
        return [
          { code, field, 'document-index': index, reason: 'unknown', message: { key: 'unusable-document', index } },
        ]
      }
      return items.length === 0
        ? [{ code, field, ...this.#hints.get(code) }]
        : items.map(({ item, more }) => ({ ...detailOf(code, field, item), ...more }))
    })
  }
}

function detailOf(code: Offense, field: string, item: ProductItem): OffenseDetail {
  const { name } = item
  const path = pathOfItem(item)
  const detail = { code, field: field.replace(/^products/, () => path) }
  return name === null ? detail : { ...detail, 'product-name': name.slice(0, MAX_TEXT_CHARACTERS).toWellFormed() }
}
