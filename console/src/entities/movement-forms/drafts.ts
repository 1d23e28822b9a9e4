import type { Company, InclusionMember, MemberDetail } from '@vigencia/client'
import type { BeneficiaryType, StartOption } from '../../../../src/kernel/enums.ts'
import { type Values, written } from './field-types.ts'
import { documentsOf } from './needed-documents.tsx'
import type { SentDocument } from './document-item.tsx'

export type Product = Company['products'][number]

/** A person of the form. */
export interface Draft {
  readonly id: string
  readonly type: BeneficiaryType
  readonly values: Values
  /** The start of each product that was chosen, by its id. */
  readonly products: Readonly<Record<string, StartOption>>
  readonly documents: readonly SentDocument[]
}

/** The primary of the form: one who is covered already, or the first draft. */
export interface Family {
  readonly primary: MemberDetail | null
  readonly drafts: readonly Draft[]
}

export function newDraft(type: BeneficiaryType, products: Draft['products'] = {}): Draft {
  return { id: crypto.randomUUID(), type, values: {}, products, documents: [] }
}

/** The products that a person can be included in: a dependent in those of the primary, where the kinship is accepted. */
export function productsFor(draft: Draft, { primary, drafts }: Family, company: Company): readonly Product[] {
  if (draft.type === 'primary') return company.products
  const held =
    primary === null
      ? Object.keys(drafts.find(({ type }) => type === 'primary')?.products ?? {})
      : primary.benefits
          .filter((benefit) => benefit['company-tax-id'] === company['tax-id'])
          .filter(({ type, status }) => type === 'primary' && status !== 'inactive')
          .map((benefit) => benefit['product-id'])
  const relation = draft.values['dependent-type']
  return company.products.filter(
    (product) =>
      held.includes(product['product-id']) &&
      (relation == null || product['allowed-dependent-types'].some((one) => one === relation)),
  )
}

/** The chosen products that the person can have. */
export const chosenOf = (draft: Draft, family: Family, company: Company): readonly Product[] =>
  productsFor(draft, family, company).filter((product) => Object.hasOwn(draft.products, product['product-id']))

/** The draft as a member of the batch. */
export function memberOf(draft: Draft, family: Family, company: Company): InclusionMember {
  const { primary, drafts } = family
  const first = drafts.find(({ type }) => type === 'primary')
  const primaryTaxId = primary?.profile['tax-id'] ?? first?.values['tax-id']
  const products: Record<string, { name: string; 'start-option': StartOption }[]> = {}
  for (const product of chosenOf(draft, family, company)) {
    const item = {
      name: product['product-name'],
      'start-option': draft.products[product['product-id']] ?? ('on-inclusion-date' as const),
    }
    products[product['product-type']] = [...(products[product['product-type']] ?? []), item]
  }
  return {
    'beneficiary-type': draft.type,
    ...(draft.type === 'dependent' ? { 'primary-member-tax-id': primaryTaxId } : {}),
    ...written(draft.values),
    products,
    ...(draft.documents.length === 0 ? {} : { documents: documentsOf(draft.documents) }),
  } as unknown as InclusionMember
}
