/* Families of a list and of a company, for the tests of what follows from their comparison. All people are invented. */
import { deriveFamily } from '#movements/rules/roster-family.ts'
import type {
  RosterBenefit,
  RosterFamily,
  RosterItem,
  RosterLine,
  RosterMember,
  RosterPerson,
  RosterProduct,
  RosterTerms,
} from '#movements/rules/roster.ts'
import { productNameKey } from '#kernel/product-name.ts'

const product = (id: string, name: string, type: string, isInScope = true): RosterProduct => ({
  id,
  name,
  nameKey: productNameKey(name),
  type,
  isInScope,
})

const ESSENTIAL = product('essential', 'Saúde Essencial', 'health-insurance')
const EXECUTIVE = product('executive', 'Saúde Executiva', 'health-insurance')
const BASIC = product('basic', 'Saúde Básica', 'health-insurance')
const DENTAL = product('dental', 'Odonto Mais', 'dental-insurance')
const LIFE = product('life', 'Vida em Grupo', 'life-insurance')
const OTHER = product('gym', 'Academia', 'fitness', false)
export const PRODUCTS = [ESSENTIAL, EXECUTIVE, BASIC, DENTAL, LIFE, OTHER]

export const terms = (values: Partial<RosterTerms> = {}): RosterTerms => ({
  today: '2026-12-07',
  asOf: '2026-12-06',
  states: [],
  isPartOfCompany: false,
  defaults: { startOption: null, productNames: [] },
  products: PRODUCTS,
  ...values,
})

export const BEATRIZ = {
  id: 'beatriz',
  taxId: '41058293788',
  profile: {
    'tax-id': '41058293788',
    name: "Beatriz Campos D'Ávila",
    'mothers-name': 'Nair Campos Leal',
    'date-of-birth': '1984-02-11',
    gender: 'female',
    'employee-id': 'V-0317',
    'admission-date': '2020-03-02',
    phone: '11987654321',
    'email-private': 'bia@example.com',
    salary: 450000,
    'cost-center': '4200',
  },
} as const

export const HELENA = {
  id: 'helena',
  taxId: '15834092624',
  profile: {
    'tax-id': '15834092624',
    name: 'Helena Campos Prates',
    'mothers-name': "Beatriz Campos D'Ávila",
    'date-of-birth': '2015-08-20',
    gender: 'female',
  },
} as const

export const benefit = (productId: string, values: Partial<RosterBenefit> = {}): RosterBenefit => ({
  id: `benefit-${productId}`,
  productId,
  status: 'active',
  startDate: '2024-01-01',
  endDate: null,
  extensionPlan: false,
  cardNumber: '0042',
  dependentType: null,
  primaryTaxId: null,
  includedOn: '2023-12-20',
  ...values,
})

export const benefitOfHelena = (productId: string, values: Partial<RosterBenefit> = {}): RosterBenefit =>
  benefit(productId, { id: `child-${productId}`, dependentType: 'child', primaryTaxId: BEATRIZ.taxId, ...values })

export const member = (
  who: Pick<RosterMember, 'id' | 'taxId' | 'profile'>,
  benefits: readonly RosterBenefit[],
  values: Partial<RosterMember> = {},
): RosterMember => ({
  ...who,
  benefits,
  otherProductIds: [],
  productTypes: benefits.flatMap(({ productId }) => PRODUCTS.find(({ id }) => id === productId)?.type ?? []),
  endedSince: [],
  openMovements: [],
  waiting: [],
  ...values,
})

export const line = (number: number, values: Partial<RosterLine> = {}): RosterLine => ({
  line: number,
  taxId: null,
  role: null,
  primaryTaxId: null,
  dependentType: null,
  profile: {},
  productName: null,
  startOption: null,
  exclusion: null,
  carrier: {},
  reference: null,
  offenses: [],
  ...values,
})

/** A line of Beatriz, of the primary. */
export const ofBeatriz = (values: Partial<RosterLine> = {}, number = 2): RosterLine =>
  line(number, { taxId: BEATRIZ.taxId, ...values })

/** A line of Helena, a child. */
export const ofHelena = (values: Partial<RosterLine> = {}, number = 3): RosterLine =>
  line(number, { taxId: HELENA.taxId, ...values })

export function person(
  role: RosterPerson['role'],
  lines: readonly RosterLine[],
  known: RosterMember | null,
  values: Partial<RosterPerson> = {},
): RosterPerson {
  return { role, lines, member: known, matchedBy: known === null ? null : 'tax-id', isOutside: false, ...values }
}

export const family = (...people: readonly RosterPerson[]): RosterFamily => ({ family: BEATRIZ.id, people })

export const derive = (people: readonly RosterPerson[], values: Partial<RosterTerms> = {}): readonly RosterItem[] =>
  deriveFamily(family(...people), terms(values)).items

/** An item in short: who, which class, why, what. */
export function short({ taxId, class: kind, explanation, productName, differences }: RosterItem): string {
  const who = taxId === BEATRIZ.taxId ? 'Beatriz' : taxId === HELENA.taxId ? 'Helena' : (taxId ?? 'somebody')
  const fields = differences.map(({ field, here, stated }) => `${field}: ${String(here)} → ${String(stated)}`)
  return [who, kind, explanation, productName === null ? null : `[${productName}]`, fields.join(', ')]
    .filter((part) => part !== null && part !== '')
    .join(' ')
}
