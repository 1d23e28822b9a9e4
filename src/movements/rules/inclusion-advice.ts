/*
 * What is unusual about the members of an inclusion, and worth a look: no member is rejected for it.
 */
import { addDays, type LocalDate } from '#kernel/calendar.ts'
import type { EntryWarning } from './entry-warnings.ts'
import { type Entry, pathOfItem } from './inclusion-batch.ts'
import type { FactIndex } from './inclusion-facts.ts'
import type { Case } from './inclusion-primaries.ts'
import { isLate, LATE_AFTER_DAYS } from '#registry/rules/requirement.ts'

const SPOUSES: ReadonlySet<string | null> = new Set(['spouse', 'partner'])
const CHILDREN: ReadonlySet<string | null> = new Set(['child', 'stepchild', 'adopted-child'])

/** The members of a batch, looked at in its order: each beside those before it, and beside the company's data. */
export class Advice {
  readonly #facts: FactIndex
  readonly #births = new Map<string, LocalDate>()
  readonly #farAdmission: LocalDate
  /** Person and product type -> the products of the members so far. */
  readonly #products = new Map<string, string[]>()
  /** Primary and product -> the spouses so far. */
  readonly #spouses = new Map<string, string[]>()

  constructor(cases: readonly Case[], facts: FactIndex) {
    this.#facts = facts
    this.#farAdmission = `${String(Number(facts.today.slice(0, 4)) + 1).padStart(4, '0')}${facts.today.slice(4)}`
    for (const { entry } of cases) {
      if (entry.role === 'primary' && entry.taxId !== null && entry.dateOfBirth !== null)
        this.#births.set(entry.taxId, entry.dateOfBirth)
    }
  }

  /** @param admitted the admission date; of a dependent that of its primary. */
  of(memberCase: Case, admitted: LocalDate | null): EntryWarning[] {
    const { entry } = memberCase
    const { admissionDate } = entry
    return [
      ...(typeof admissionDate === 'string' && admissionDate > this.#farAdmission
        ? [{ warning: 'admission-date-far', field: 'admission-date' } as const]
        : []),
      ...lateness(entry, this.#facts.today, admitted),
      ...(this.#isOlderThanPrimary(entry)
        ? [{ warning: 'child-older-than-primary', field: 'date-of-birth' } as const]
        : []),
      ...this.#ofProducts(memberCase),
    ]
  }

  #isOlderThanPrimary({ dependentType, dateOfBirth, primaryTaxId }: Entry): boolean {
    if (!CHILDREN.has(dependentType) || dateOfBirth === null || primaryTaxId === null) return false
    const birth = this.#births.get(primaryTaxId) ?? this.#facts.dateOfBirth(primaryTaxId)
    return birth !== null && dateOfBirth <= birth
  }

  #ofProducts({ entry, choices }: Case): EntryWarning[] {
    const { taxId, primaryTaxId, dependentType } = entry
    if (taxId === null) return []
    const warnings: EntryWarning[] = []
    for (const { item, product } of choices) {
      if (product === null) continue
      const field = pathOfItem(item)
      const stored = this.#facts.productsOfType(taxId, product.productType)
      if (isAnother(product.id, listOf(this.#products, `${taxId} ${product.productType}`), stored))
        warnings.push({ warning: 'same-product-type', field })
      if (primaryTaxId === null || !SPOUSES.has(dependentType)) continue
      const key = `${primaryTaxId} ${product.id}`
      if (isAnother(taxId, listOf(this.#spouses, key), this.#facts.spouses(primaryTaxId, product.id)))
        warnings.push({ warning: 'two-spouses', field })
    }
    return warnings
  }
}

/** Adds the value to those of the batch so far. @returns whether the batch or the company has another one. */
function isAnother(value: string, ofBatch: string[], stored: readonly string[]): boolean {
  const isSecond = ofBatch.some((other) => other !== value) || stored.some((other) => other !== value)
  if (!ofBatch.includes(value)) ofBatch.push(value)
  return isSecond
}

function listOf(lists: Map<string, string[]>, key: string): string[] {
  let list = lists.get(key)
  if (list === undefined) lists.set(key, (list = []))
  return list
}

function lateness(entry: Entry, today: LocalDate, admitted: LocalDate | null): EntryWarning[] {
  const dependency = entry.role === 'dependent' ? entry.dependencyDate : null
  const since = dependency ?? admitted
  if (!isLate(since, today)) return []
  const field = dependency === null ? 'admission-date' : 'dependency-date'
  return [{ warning: 'late-inclusion', field, 'last-day': addDays(since as LocalDate, LATE_AFTER_DAYS) }]
}
