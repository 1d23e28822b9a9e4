import { readFileSync } from 'node:fs'
import type { InclusionFacts } from '#movements/rules/inclusion-facts.ts'
import { parseBatch } from '#movements/rules/inclusion-batch.ts'
import { judge } from '#movements/rules/inclusion.ts'
import type { Judgement } from '#movements/rules/inclusion.ts'
import { productNameKey } from '#kernel/product-name.ts'
import { cpfAt } from '../../data/people.ts'

export type Sent = Record<string, unknown>

/** A file of test/data, parsed. */
export function readData<T>(name: string): T {
  return JSON.parse(readFileSync(new URL(`../../data/${name}`, import.meta.url), 'utf8')) as T
}

const company = readData<{ 'company-tax-id': string; products: Sent[] }>('company.json')

export const TODAY = '2026-08-20'
export const HEALTH = 'Saúde Essencial Enfermaria'
export const PREMIUM = 'Saúde Premium Apartamento'
export const DENTAL = 'Dental Sorriso'

/** The id a product of company.json has in these tests: its key. */
export const idOf = productNameKey

/** The facts of company.json without enrolled members. */
export function factsOf(more: Partial<InclusionFacts> = {}): InclusionFacts {
  return {
    today: TODAY,
    companyTaxId: company['company-tax-id'],
    products: company.products.map((product) => ({
      id: idOf(product['product-name'] as string),
      name: product['product-name'] as string,
      nameKey: productNameKey(product['product-name'] as string),
      productType: product['product-type'] as string,
      allowedDependentTypes: product['allowed-dependent-types'] as string[],
      allowedStartOptions: product['allowed-start-options'] as string[],
      billingDay: (product['billing-day'] as number | undefined) ?? null,
      cutOffDay: (product['cut-off-day'] as number | undefined) ?? null,
    })),
    benefits: [],
    formerCover: [],
    spouses: [],
    openEnrollments: [],
    processing: [],
    primaries: [],
    usableDocumentIds: [],
    ...more,
  }
}

type Benefit = InclusionFacts['benefits'][number]

/** A benefit of the company with CPF n, long in force. */
export function benefitOf(n: number, more: Partial<Benefit> = {}): Benefit {
  const name = more.productId ?? idOf(HEALTH)
  const { productType = '' } = factsOf().products.find(({ id }) => id === name) ?? {}
  const own = { taxId: cpf(n), productId: name, productType, type: 'primary', status: 'active' } as const
  return { ...own, startDate: '2020-01-01', ...more }
}

/** The n-th valid CPF. */
export function cpf(n: number): string {
  return cpfAt(n)
}

/** Products as they are sent: one item of a type. */
export function choose(name: unknown, startOption: unknown = 'on-inclusion-date', type = 'health-insurance'): Sent {
  return { [type]: [{ name, 'start-option': startOption }] }
}

/** A flawless primary with CPF n in the essential health plan; keys of `more` set to undefined are left out. */
export function primary(n: number, more: Sent = {}): Sent {
  return withoutUndefined({
    'beneficiary-type': 'primary',
    name: 'Helena Brandão Souza',
    'tax-id': cpf(n),
    'mothers-name': 'Fátima Brandão',
    'date-of-birth': '1990-05-17',
    gender: 'female',
    products: choose(HEALTH),
    ...more,
  })
}

/** A flawless child of the primary with CPF `of`. */
export function dependent(n: number, of: number, more: Sent = {}): Sent {
  return primary(n, {
    'beneficiary-type': 'dependent',
    'primary-member-tax-id': cpf(of),
    'dependent-type': 'child',
    'date-of-birth': '2015-06-07',
    ...more,
  })
}

/** What the judge says of these members. */
export function judged(members: readonly Sent[], more: Partial<InclusionFacts> = {}): Judgement {
  return judge(parseBatch(members), factsOf(more))
}

/** The offenses of each member, in the order sent; empty for accepted ones. */
export function offensesOf(members: readonly Sent[], more: Partial<InclusionFacts> = {}): string[][] {
  const { rejected } = judged(members, more)
  const byIndex = new Map(rejected.map((entry) => [entry.index, entry.offenses]))
  return members.map((_, index) => byIndex.get(index) ?? [])
}

function withoutUndefined(sent: Sent): Sent {
  return Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined))
}
