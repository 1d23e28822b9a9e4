/**
 * What is kept of a person in one company, with one benefit of theirs there, as `memberColumns` selects it: texts as PostgreSQL
 * writes them.
 */
export type MemberRow = readonly [
  taxId: string,
  companyId: string,
  id: string,
  /** Seconds; null where all rows are of one company, and the same for `updated`. */
  created: string | null,
  updated: string | null,
  name: string,
  mothersName: string,
  dateOfBirth: string,
  gender: string,
  maritalStatus: string | null,
  benefitId: string,
  status: string,
  productId: string,
  type: string,
  startDate: string,
  endDate: string | null,
  /** `true` or `false`. */
  extensionPlan: string,
  cardNumber: string | null,
  dependentType: string | null,
  primaryTaxId: string | null,
  ...more: unknown[],
]

/** A product as `productColumns` selects it. */
export type ProductRow = readonly [companyTaxId: string, id: string, name: string, type: string, carrierName: string]

const text = (value: string | null) => (value === null ? 'null' : JSON.stringify(value))
// Of what needs no escaping: ids, days, words of a closed set.
const word = (value: string | null) => (value === null ? 'null' : `"${value}"`)

/** The part of a benefit's JSON that tells its product and company. */
export class ProductJson {
  readonly #ofCompany = new Map<string, Map<string, string>>()

  add(companyId: string, [companyTaxId, id, name, type, carrierName]: ProductRow): void {
    let products = this.#ofCompany.get(companyId)
    if (products === undefined) this.#ofCompany.set(companyId, (products = new Map<string, string>()))
    if (products.has(id)) return
    const told = `"product-name":${text(name)},"product-type":${text(type)},"carrier-name":${text(carrierName)}`
    products.set(id, `"company-tax-id":"${companyTaxId}","product-id":"${id}",${told}`)
  }

  of(companyId: string, productId: string): string {
    return this.#ofCompany.get(companyId)?.get(productId) ?? ''
  }
}

/** Turns rows in the order of the CPF into the JSON texts of persons. */
export class MemberJsonWriter {
  readonly #products: ProductJson
  readonly #includeInactive: boolean
  /** Of the person whose rows may not all have come yet. */
  #rows: MemberRow[] = []

  constructor(products: ProductJson, includeInactive: boolean) {
    this.#products = products
    this.#includeInactive = includeInactive
  }

  /** @returns the persons that are complete with these rows. */
  take(rows: readonly MemberRow[]): string[] {
    const items: string[] = []
    for (const row of rows) {
      if (this.#rows[0] !== undefined && this.#rows[0][0] !== row[0]) items.push(...this.last())
      this.#rows.push(row)
    }
    return items
  }

  /** @returns the last person, once all rows were taken; nothing when there is none to show. */
  last(): string[] {
    const item = this.#rows.length === 0 ? null : personItem(this.#rows, this.#products, this.#includeInactive)
    this.#rows = []
    return item === null ? [] : [item]
  }
}

/**
 * The JSON text of a person, put together by hand: PostgreSQL takes four times as long for it, and `JSON.stringify` twice.
 * The person bears the id of the row made first and the profile updated last (contract decisions, identifiers); a benefit that is not
 * active is shown only on demand.
 * @param rows all of one CPF.
 * @returns null when no benefit is left to show.
 */
function personItem(rows: readonly MemberRow[], products: ProductJson, includeInactive: boolean): string | null {
  const ordered = rows.length === 1 ? rows : rows.toSorted(compareRows)
  let benefits = ''
  let last = ordered[0] as MemberRow
  for (const row of ordered) {
    if (isLater(row, last)) last = row
    if (!includeInactive && row[11] !== 'active') continue
    benefits += (benefits === '' ? '' : ',') + benefitText(row, products)
  }
  if (benefits === '') return null
  const [first] = ordered as [MemberRow]
  return `{"id":"${first[2]}","profile":{"name":${text(last[5])},"mothers-name":${text(last[6])},"date-of-birth":"${last[7]}","gender":"${last[8]}","marital-status":${word(last[9])},"tax-id":"${last[0]}"},"benefits":[${benefits}]}`
}

function benefitText(row: MemberRow, products: ProductJson): string {
  return `{"benefit-id":"${row[10]}","status":"${row[11]}",${products.of(row[1], row[12])},"type":"${row[13]}","start-date":"${row[14]}","end-date":${word(row[15])},"extension-plan":${row[16]},"card-number":${text(row[17])},"dependent-type":${word(row[18])},"primary-member-tax-id":${word(row[19])}}`
}

/** The row made first comes first, and of a row the benefit that began first. */
function compareRows(one: MemberRow, two: MemberRow): number {
  if (one[1] !== two[1]) return Number(one[3]) - Number(two[3]) || (one[1] < two[1] ? -1 : 1)
  if (one[14] !== two[14]) return one[14] < two[14] ? -1 : 1
  return one[10] < two[10] ? -1 : 1
}

/** Whether the profile of a row is the newer one; of two that are equally new, the smaller company's counts. */
function isLater(row: MemberRow, than: MemberRow): boolean {
  if (row[1] === than[1]) return false
  return (Number(row[4]) - Number(than[4]) || (row[1] < than[1] ? 1 : -1)) > 0
}
