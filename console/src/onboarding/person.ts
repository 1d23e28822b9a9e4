import type { DocumentType } from '../../../src/kernel/enums.ts'
import { STATES } from '../../../src/kernel/enums.ts'
import type { Product, Requirement, View } from './link.ts'
import type { Texts } from './texts.ts'

type FieldName = keyof Texts['fields']

/** How a field is filled in. */
export interface Field {
  readonly name: FieldName
  readonly kind: 'text' | 'date' | 'digits' | 'tel' | 'email' | 'gender' | 'maritalStatus' | 'state' | 'relationship'
  readonly required?: true
  /** For the browser, which may know it. */
  readonly autoComplete?: string
}

export const states = STATES

export const ownFields: readonly Field[] = [
  { name: 'name', kind: 'text', required: true, autoComplete: 'name' },
  { name: 'mothers-name', kind: 'text', required: true },
  { name: 'gender', kind: 'gender', required: true },
  { name: 'marital-status', kind: 'maritalStatus' },
  { name: 'phone', kind: 'tel', autoComplete: 'tel-national' },
  { name: 'email-private', kind: 'email', autoComplete: 'email' },
  { name: 'cns', kind: 'digits' },
]

export const documentFields: readonly Field[] = [
  { name: 'identity-document-number', kind: 'text' },
  { name: 'identity-document-issuer', kind: 'text' },
  { name: 'identity-document-state', kind: 'state' },
]

export const addressFields: readonly Field[] = [
  { name: 'address-postal-code', kind: 'digits', autoComplete: 'postal-code' },
  { name: 'address-street', kind: 'text', autoComplete: 'address-line1' },
  { name: 'address-number', kind: 'text' },
  { name: 'address-complement', kind: 'text', autoComplete: 'address-line2' },
  { name: 'address-neighborhood', kind: 'text', autoComplete: 'address-level3' },
  { name: 'address-city', kind: 'text', autoComplete: 'address-level2' },
  { name: 'address-state', kind: 'state', autoComplete: 'address-level1' },
]

export const dependentFields: readonly Field[] = [
  { name: 'dependent-type', kind: 'relationship', required: true },
  { name: 'name', kind: 'text', required: true },
  { name: 'tax-id', kind: 'digits', required: true },
  { name: 'date-of-birth', kind: 'date', required: true },
  { name: 'mothers-name', kind: 'text', required: true },
  { name: 'gender', kind: 'gender', required: true },
  { name: 'marital-status', kind: 'maritalStatus' },
  { name: 'dependency-date', kind: 'date' },
  { name: 'cns', kind: 'digits' },
  { name: 'birth-declaration-number', kind: 'digits' },
]

/** A file that was uploaded, for a person. */
export interface SentFile {
  readonly id: string
  readonly name: string
  readonly type: DocumentType
}

/** A person as the form has it. */
export interface Draft {
  /** The key in a list, for React. */
  readonly key: string
  readonly values: Readonly<Record<string, string>>
  readonly files: readonly SentFile[]
  /** Only for a dependent. */
  readonly productIds: readonly string[]
}

export interface Choice {
  readonly choice: 'enroll' | 'waive' | ''
  readonly typedName: string
}

/** All that the employee fills in. */
export interface Form {
  readonly own: Draft
  readonly dependents: readonly Draft[]
  readonly choices: Readonly<Record<string, Choice>>
}

export const nobody = (productIds: readonly string[]): Draft => ({
  key: crypto.randomUUID(),
  values: {},
  files: [],
  productIds,
})

/** What the form begins with: what was sent before, else the name. */
export function firstDraft({ name, products, submission, documents }: View): Form {
  const fileOf = (sent: unknown): SentFile[] =>
    ((sent ?? []) as { 'document-id': string; 'document-type': DocumentType }[]).map((one) => ({
      id: one['document-id'],
      type: one['document-type'],
      name: documents.find((document) => document['document-id'] === one['document-id'])?.name ?? '',
    }))
  const draftOf = (person: Readonly<Record<string, unknown>>): Draft => ({
    key: crypto.randomUUID(),
    values: Object.fromEntries(
      Object.entries(person).flatMap(([key, value]) => (typeof value === 'string' ? [[key, value]] : [])),
    ),
    files: fileOf(person['documents']),
    productIds: (person['dependent-product-ids'] ?? []) as string[],
  })
  const chosen = new Map((submission?.choices ?? []).map((choice) => [choice['product-id'], choice]))
  return {
    own: draftOf(submission?.member ?? { name }),
    dependents: (submission?.dependents ?? []).map(draftOf),
    choices: Object.fromEntries(
      products.map(({ 'product-id': id }) => {
        const before = chosen.get(id)
        return [id, { choice: before?.choice ?? '', typedName: before?.['typed-name'] ?? '' }]
      }),
    ),
  }
}

export const enrolledIn = ({ choices }: Form): string[] =>
  Object.entries(choices).flatMap(([id, { choice }]) => (choice === 'enroll' ? [id] : []))

/** What is sent. */
export function submissionOf(draft: Form): object {
  const enrolled = enrolledIn(draft)
  const personOf = ({ values, files }: Draft) => ({
    ...Object.fromEntries(Object.entries(values).filter(([, value]) => value.trim() !== '')),
    documents: files.map(({ id, type }) => ({ 'document-id': id, 'document-type': type })),
  })
  return {
    ...(enrolled.length > 0 && { member: personOf(draft.own) }),
    dependents:
      enrolled.length === 0
        ? []
        : draft.dependents.map((one) => ({
            ...personOf(one),
            'dependent-product-ids': one.productIds.filter((id) => enrolled.includes(id)),
          })),
    choices: Object.entries(draft.choices).map(([id, { choice, typedName }]) => ({
      'product-id': id,
      choice: choice === '' ? undefined : choice,
      'typed-name': choice === 'waive' ? typedName : undefined,
    })),
  }
}

/** The documents that a person needs in the products, each once. @param dependentType null: the employee. */
export function requirementsOf(
  products: readonly Product[],
  productIds: readonly string[],
  dependentType: string | null,
): readonly Requirement[] {
  const all = products
    .filter((product) => productIds.includes(product['product-id']))
    .flatMap(({ requirements }) => requirements.filter((one) => one['dependent-type'] === dependentType))
  return [...new Map(all.map((one) => [`${one['any-of'].join(' ')} ${one.message}`, one])).values()]
}

/** Whether two forms have the same at the path of a detail, such as `dependents[0].name`. */
export function isSameAt(path: string, one: Form, other: Form): boolean {
  const [now, before] = [one, other].map((form) => JSON.stringify(valueAt(path, form)))
  return now === before
}

function valueAt(path: string, { own, dependents, choices }: Form): unknown {
  const [place = '', list = '', index = ''] = /^(\w+)(?:\[(\d+)\])?\.?/.exec(path) ?? []
  const name = path.slice(place.length)
  if (list === 'choices') return Object.values(choices)[Number(index)]
  const person = list === 'dependents' ? dependents[Number(index)] : own
  if (name === 'documents') return person?.files
  return name === 'dependent-product-ids' ? person?.productIds : (person?.values[name] ?? '')
}
