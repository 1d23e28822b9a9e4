/* Which registration data of a list differs from what is stored, and what may become of it. */
import { REGISTRATION_ALIASES } from '#kernel/registration-fields.ts'
import type { DraftDifference } from './movement-draft.ts'
import { REGISTRATION_FIELDS } from './alteration-data.ts'
import type { RosterBenefit, RosterMember } from './roster.ts'
import { isSameValue, type ProductIndex, type Statement } from './roster-lines.ts'

type Value = DraftDifference['here']

/** Data that no carrier has. */
const COMPANY_DATA: ReadonlySet<string> = new Set([
  'employee-id',
  'cost-center',
  'cost-center-name',
  'job-title',
  'email-corporate',
  'salary',
])
/** The data of an employment: on a line of a dependent they are the primary's. */
const EMPLOYMENT: ReadonlySet<string> = new Set([
  ...COMPANY_DATA,
  'admission-date',
  'employee-company-tax-id',
  'work-contract-type',
])
/** Products whose price or sum depends on the salary, so that carriers know it. */
const SALARY_TYPES: ReadonlySet<string> = new Set(['life-insurance', 'private-pension'])
/** It is of an inclusion, and not stored. */
const NOT_STORED = 'dependency-date'

const keysOfAlterations = new Map<string, string>(
  Object.entries(REGISTRATION_ALIASES).map(([alias, field]) => [field, alias]),
)
/** The key of an alteration for a key of the profile. */
export const alterationKey = (field: string): string => keysOfAlterations.get(field) ?? field

/** What differs, each sorted by field. */
export interface FieldDifferences {
  readonly correction: readonly DraftDifference[]
  readonly companyData: readonly DraftDifference[]
  readonly notAlterable: readonly DraftDifference[]
  readonly carrierOnly: readonly DraftDifference[]
}

/** Compares what is stated of somebody who is covered. */
export function fieldDifferences(
  role: 'primary' | 'dependent',
  statement: Statement,
  member: RosterMember,
  products: ProductIndex,
): FieldDifferences {
  const { profile, benefits } = member
  const correction: DraftDifference[] = []
  const companyData: DraftDifference[] = []
  const notAlterable: DraftDifference[] = []
  for (const field in statement.profile) {
    const stated = statement.profile[field]
    if (stated === undefined || field === NOT_STORED || isSameValue(field, stated, profile[field])) continue
    if (role === 'dependent' && EMPLOYMENT.has(field)) continue
    const difference = { field, here: valueOf(profile[field]), stated }
    if (isOfCompany(field, member)) companyData.push(difference)
    else if (Object.hasOwn(REGISTRATION_FIELDS, alterationKey(field))) correction.push(difference)
    else notAlterable.push(difference)
  }
  const { dependentType } = statement
  const kinships = benefits.map((benefit) => benefit.dependentType)
  const otherKinship = kinships.find((kinship) => kinship !== null && kinship !== dependentType)
  if (role === 'dependent' && dependentType !== null && otherKinship !== undefined) {
    notAlterable.push({ field: 'dependent-type', here: otherKinship, stated: dependentType })
  }
  const carrierOnly = carrierDifferences(statement, benefits, products)
  for (const list of [correction, companyData, notAlterable, carrierOnly]) list.sort(byField)
  return { correction, companyData, notAlterable, carrierOnly }
}

function isOfCompany(field: string, { productTypes }: RosterMember): boolean {
  return COMPANY_DATA.has(field) && (field !== 'salary' || !productTypes.some((type) => SALARY_TYPES.has(type)))
}

/** What only the carrier sets, of the benefit of each line; a line without a product is about the only one. */
function carrierDifferences(
  { rows }: Statement,
  benefits: readonly RosterBenefit[],
  products: ProductIndex,
): DraftDifference[] {
  const found = new Map<string, DraftDifference>()
  for (const { carrier, productName } of rows) {
    const { 'card-number': cardNumber, 'start-date': startDate } = carrier
    if (cardNumber === undefined && startDate === undefined) continue
    const productId = productName === null ? null : products.named(productName)?.id
    const covers = productId === null ? benefits : benefits.filter((benefit) => benefit.productId === productId)
    const [benefit] = covers
    if (benefit === undefined || covers.length > 1) continue
    if (cardNumber !== undefined && plain(cardNumber) !== plain(benefit.cardNumber ?? '')) {
      found.set(`card ${benefit.id}`, { field: 'card-number', here: benefit.cardNumber, stated: cardNumber })
    }
    if (startDate !== undefined && startDate !== benefit.startDate) {
      found.set(`start ${benefit.id}`, { field: 'start-date', here: benefit.startDate, stated: startDate })
    }
  }
  return [...found.values()]
}

/** A number of a card without punctuation. */
const plain = (text: string) => text.replaceAll(/[^\p{L}\p{N}]/gu, '')

const valueOf = (value: unknown): Value =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null

const keyOf = ({ field, here, stated }: DraftDifference) => `${field} ${String(here)} ${String(stated)}`
const byField = (a: DraftDifference, b: DraftDifference) => (keyOf(a) < keyOf(b) ? -1 : 1)
