import type { RequestBody, Result } from '@vigencia/client'
import { type ContactValues, contactsBody, contactValues } from '../../entities/contacts/contact-values.ts'
import { DEPENDENT_TYPES, PRODUCT_TYPES, START_OPTIONS } from '../../../../src/kernel/enums.ts'

export type Company = Result<'readAnyCompany'>
type Product = Company['products'][number]
export type ProductType = (typeof PRODUCT_TYPES)[number]
export type DependentType = Product['allowed-dependent-types'][number]
export type StartOption = Product['allowed-start-options'][number]
type CompanyBody = RequestBody<'putCompany'>

/** Those that have a text; a company may have others. */
export const productTypes: readonly ProductType[] = PRODUCT_TYPES
export const dependentTypes: readonly DependentType[] = DEPENDENT_TYPES
export const startOptions: readonly StartOption[] = START_OPTIONS

let newProducts = 0

/** A product in the form. */
export interface ProductValues {
  /** The same while the product moves in the list. */
  readonly key: string
  /** null: a new one. */
  readonly 'product-id': string | null
  readonly 'product-name': string
  readonly 'carrier-name': string
  readonly 'product-type': string | null
  readonly 'allowed-dependent-types': DependentType[]
  readonly 'allowed-start-options': StartOption[]
  /** '' where the input is empty; a text where it is no number. */
  readonly 'billing-day': number | string
  readonly 'cut-off-day': number | string
}

export interface CompanyValues {
  readonly name: string
  readonly products: ProductValues[]
  readonly contacts: ContactValues[]
}

export function newProduct(): ProductValues {
  return {
    key: `new-${++newProducts}`,
    'product-id': null,
    'product-name': '',
    'carrier-name': '',
    'product-type': null,
    'allowed-dependent-types': [],
    // Without one no inclusion is accepted.
    'allowed-start-options': [...startOptions],
    'billing-day': '',
    'cut-off-day': '',
  }
}

export function valuesOf({ name, products, contacts }: Company): CompanyValues {
  return {
    name,
    products: products.map((product) => ({
      ...product,
      key: product['product-id'],
      'billing-day': product['billing-day'] ?? '',
      'cut-off-day': product['cut-off-day'] ?? '',
    })),
    contacts: contactValues(contacts),
  }
}

/** What the service takes; it judges whether it is complete. */
export function bodyOf({ name, products, contacts }: CompanyValues): CompanyBody {
  return {
    name,
    products: products.map(({ key: _key, ...product }) => ({
      ...product,
      'product-id': product['product-id'] ?? undefined,
      'product-type': product['product-type'] ?? undefined,
      'billing-day': dayOf(product['billing-day']),
      'cut-off-day': dayOf(product['cut-off-day']),
    })),
    contacts: contactsBody(contacts),
    // Without a type of product, the service says that it is missing.
  } as CompanyBody
}

function dayOf(value: number | string): number | null {
  return value === '' ? null : Number(value)
}
