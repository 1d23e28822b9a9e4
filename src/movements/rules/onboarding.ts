/*
 * The onboarding link: an employee whom the HR of a company invites fills in the own data, chooses products or waives them, and the HR approves what
 * becomes an inclusion.
 */
import type { LocalDate } from '#kernel/calendar.ts'
import type { StartOption } from '#kernel/enums.ts'
import * as types from '#kernel/field-types.ts'
import { type FieldError, type Fields, invalidValue, isAbsent, isObject, required } from '#kernel/fields.ts'
import { DEPENDENT_FIELDS as OF_DEPENDENTS, INCLUSION_FIELDS } from '#kernel/inclusion-fields.ts'
import { unknownField } from '#kernel/nearest.ts'

export const ONBOARDING_STATUSES = [
  'sent',
  'opened',
  'submitted',
  'returned',
  'approved',
  'expired',
  'revoked',
  'blocked',
] as const
export type OnboardingStatus = (typeof ONBOARDING_STATUSES)[number]

/** What each status may become. */
const next: Readonly<Record<OnboardingStatus, readonly OnboardingStatus[]>> = {
  sent: ['opened', 'expired', 'revoked', 'blocked'],
  opened: ['submitted', 'expired', 'revoked', 'blocked'],
  // Wrong second factors do not block what the employee has sent already.
  submitted: ['returned', 'approved', 'expired', 'revoked'],
  returned: ['submitted', 'expired', 'revoked', 'blocked'],
  approved: [],
  expired: [],
  revoked: [],
  blocked: [],
}

/** The statuses that may become this one. */
export const statusesBefore = (status: OnboardingStatus): OnboardingStatus[] =>
  ONBOARDING_STATUSES.filter((before) => next[before].includes(status))

export const mayBecome = (status: OnboardingStatus, later: OnboardingStatus): boolean => next[status].includes(later)

/** Wrong second factors, then the link is blocked. */
export const MAX_ATTEMPTS = 5
/** Files of one link. */
export const MAX_FILES = 20
export const MAX_DEPENDENTS = 20
/** After these days a submission that no one approved is deleted. */
export const KEPT_DAYS = 30

export const CHOICES = ['enroll', 'waive'] as const

/** A product that the employee is invited to. */
export interface InvitedProduct {
  readonly 'product-id': string
  readonly 'start-option': StartOption
}

type Table<Key extends keyof typeof INCLUSION_FIELDS> = Pick<typeof INCLUSION_FIELDS, Key>

function fieldsOf<const Key extends keyof typeof INCLUSION_FIELDS>(...keys: readonly Key[]): Table<Key> {
  return Object.fromEntries(keys.map((key) => [key, INCLUSION_FIELDS[key]])) as Table<Key>
}

/** What the employee fills in of the own person. CPF, date of birth and job are from the HR. */
export const EMPLOYEE_FIELDS: Fields = fieldsOf(
  'name',
  'mothers-name',
  'gender',
  'marital-status',
  'phone',
  'email-private',
  'cns',
  'identity-document-number',
  'identity-document-issuer',
  'identity-document-state',
  'address-postal-code',
  'address-street',
  'address-number',
  'address-complement',
  'address-neighborhood',
  'address-city',
  'address-state',
  'documents',
)

/** The same of a dependent, beside the products. */
export const DEPENDENT_FIELDS: Fields = {
  ...fieldsOf('tax-id', 'name', 'mothers-name', 'date-of-birth', 'gender', 'marital-status', 'cns', 'documents'),
  ...fieldsOf('dependency-date', 'birth-declaration-number'),
  'dependent-type': required(INCLUSION_FIELDS[OF_DEPENDENTS[1]]),
}

interface Choice {
  readonly 'product-id': string
  readonly choice: (typeof CHOICES)[number]
  /** Only for a waiver: the name that the employee typed. Its time is that of the submission. */
  readonly 'typed-name'?: string
}

type Person = Readonly<Record<string, unknown>> & { readonly documents?: readonly types.DocumentReference[] }

/** What an employee sent, in normal form. */
export interface Submission {
  /** Absent: every product is waived. */
  readonly member?: Person
  readonly dependents: readonly (Person & { readonly 'dependent-product-ids': readonly string[] })[]
  readonly choices: readonly Choice[]
}

/** What a submission is judged by, beside itself. */
interface SubmissionFacts {
  readonly taxId: string
  readonly productIds: readonly string[]
  readonly documentIds: ReadonlySet<string>
  readonly today: LocalDate
}

const BODY_FIELDS = ['member', 'dependents', 'choices'] as const

/** Parses the body of a submission. @returns it, or what is wrong with it. */
export function parseSubmission(
  body: Readonly<Record<string, unknown>>,
  facts: SubmissionFacts,
): Submission | readonly FieldError[] {
  const errors: FieldError[] = []
  refuseUnknown(body, BODY_FIELDS, '', errors)
  const choices = parseChoices(body['choices'], facts, errors)
  const enrolled = choices.filter(({ choice }) => choice === 'enroll').map((choice) => choice['product-id'])
  const member = parseMember(body['member'], enrolled.length > 0, facts, errors)
  const dependents = parseDependents(body['dependents'], enrolled, facts, errors)
  if (errors.length > 0) return errors
  return { ...(member !== undefined && { member }), dependents, choices }
}

function refuseUnknown(
  sent: Readonly<Record<string, unknown>>,
  known: readonly string[],
  path: string,
  errors: FieldError[],
): void {
  for (const key of Object.keys(sent)) {
    if (!known.includes(key)) errors.push(unknownField(key, known, path))
  }
}

function parseChoices(sent: unknown, { productIds }: SubmissionFacts, errors: FieldError[]): Choice[] {
  const choices = new Map<string, Choice>()
  if (!Array.isArray(sent) || sent.length > productIds.length) {
    errors.push({ field: 'choices', code: sent === undefined ? 'missing' : 'invalid' })
    return []
  }
  for (const [index, item] of (sent as readonly unknown[]).entries()) {
    const path = `choices[${index}].`
    if (!isObject(item)) {
      errors.push({ field: `choices[${index}]`, code: 'invalid' })
      continue
    }
    refuseUnknown(item, ['product-id', 'choice', 'typed-name'], path, errors)
    const productId = types.uuid.parse(item['product-id']) ?? ''
    if (!productIds.includes(productId)) errors.push({ field: `${path}product-id`, code: 'unknown' })
    if (choices.has(productId)) errors.push({ field: `${path}product-id`, code: 'repeated' })
    const choice = CHOICES.find((choice) => choice === item['choice'])
    if (choice === undefined) errors.push({ field: `${path}choice`, code: 'invalid', allowed: CHOICES })
    const typed = types.name.parse(item['typed-name'])
    if (typed === null) errors.push(invalidValue(`${path}typed-name`, types.name))
    if (choice === 'waive' && typed === undefined) errors.push({ field: `${path}typed-name`, code: 'missing' })
    if (choice === 'enroll' && typed !== undefined) errors.push({ field: `${path}typed-name`, code: 'not-applicable' })
    if (choice !== undefined)
      choices.set(productId, { 'product-id': productId, choice, ...(typed && { 'typed-name': typed }) })
  }
  if (productIds.some((id) => !choices.has(id)) && errors.length === 0)
    errors.push({ field: 'choices', code: 'missing' })
  return [...choices.values()]
}

function parseMember(
  sent: unknown,
  isNeeded: boolean,
  facts: SubmissionFacts,
  errors: FieldError[],
): Person | undefined {
  if (isAbsent(sent)) {
    if (isNeeded) errors.push({ field: 'member', code: 'missing' })
    return undefined
  }
  // Who waives everything gives no more data than needed.
  if (!isNeeded) errors.push({ field: 'member', code: 'not-applicable' })
  else if (!isObject(sent)) errors.push({ field: 'member', code: 'invalid' })
  else return parsePerson(sent, EMPLOYEE_FIELDS, 'member.', facts, errors)
  return undefined
}

function parseDependents(
  sent: unknown,
  enrolled: readonly string[],
  facts: SubmissionFacts,
  errors: FieldError[],
): Submission['dependents'] {
  if (isAbsent(sent)) return []
  if (!Array.isArray(sent) || sent.length > MAX_DEPENDENTS) {
    errors.push({ field: 'dependents', code: Array.isArray(sent) ? 'too-many' : 'invalid' })
    return []
  }
  const taxIds = new Set([facts.taxId])
  return (sent as readonly unknown[]).flatMap((item, index) => {
    const path = `dependents[${index}].`
    if (!isObject(item)) {
      errors.push({ field: `dependents[${index}]`, code: 'invalid' })
      return []
    }
    const { 'dependent-product-ids': sentProducts, ...fields } = item
    const person = parsePerson(fields, DEPENDENT_FIELDS, path, facts, errors)
    const taxId = person['tax-id']
    if (typeof taxId === 'string' && taxIds.has(taxId)) errors.push({ field: `${path}tax-id`, code: 'repeated' })
    taxIds.add(String(taxId))
    const ids = Array.isArray(sentProducts) ? sentProducts.map((id) => types.uuid.parse(id) ?? '') : []
    if (ids.length === 0) errors.push({ field: `${path}dependent-product-ids`, code: 'missing' })
    else if (!ids.every((id) => enrolled.includes(id)))
      errors.push({ field: `${path}dependent-product-ids`, code: 'unknown' })
    return [{ ...person, 'dependent-product-ids': [...new Set(ids)] }]
  })
}

function parsePerson(
  sent: Readonly<Record<string, unknown>>,
  fields: Fields,
  path: string,
  { documentIds, today }: SubmissionFacts,
  errors: FieldError[],
): Person {
  refuseUnknown(sent, Object.keys(fields), path, errors)
  const person: Record<string, unknown> = {}
  for (const [key, field] of Object.entries(fields)) {
    const value = field.parse(sent[key])
    if (value === null) errors.push(invalidValue(path + key, field, sent[key]))
    else if (value !== undefined) person[key] = value
    else if (field.presence === 'required') errors.push({ field: path + key, code: 'missing' })
  }
  const born = person['date-of-birth']
  if (typeof born === 'string' && born > today) {
    errors.push({ field: `${path}date-of-birth`, code: 'invalid', message: { key: 'not-after-today' } })
  }
  const documents = (person['documents'] ?? []) as readonly types.DocumentReference[]
  if (!documents.every((document) => documentIds.has(document['document-id']))) {
    errors.push({ field: `${path}documents`, code: 'unknown' })
  }
  return person
}

/** What the HR gave of the employee. */
export interface Invited {
  readonly taxId: string
  readonly dateOfBirth: LocalDate
  readonly admissionDate: LocalDate | null
  readonly employeeId: string | null
  readonly costCenter: string | null
  readonly jobTitle: string | null
  /** With what the company has of them. */
  readonly products: readonly (InvitedProduct & { readonly name: string; readonly productType: string })[]
}

/** The members of the inclusion that a submission asks for; none when every product is waived. */
export function inclusionMembers(invited: Invited, { member, dependents, choices }: Submission): object[] {
  if (member === undefined) return []
  const enrolled = choices.filter(({ choice }) => choice === 'enroll').map((choice) => choice['product-id'])
  const { taxId, dateOfBirth, admissionDate, employeeId, costCenter, jobTitle } = invited
  const primary = {
    'beneficiary-type': 'primary',
    ...member,
    'tax-id': taxId,
    'date-of-birth': dateOfBirth,
    'admission-date': admissionDate,
    'employee-id': employeeId,
    'cost-center': costCenter,
    'job-title': jobTitle,
    products: productsOf(invited, enrolled),
  }
  const family = dependents.map(({ 'dependent-product-ids': ids, ...dependent }) => ({
    'beneficiary-type': 'dependent',
    ...dependent,
    'primary-member-tax-id': taxId,
    products: productsOf(invited, ids),
  }))
  return [primary, ...family]
}

/** In groups by type, as an inclusion has them. */
function productsOf({ products }: Invited, ids: readonly string[]): object {
  const chosen = products.filter((product) => ids.includes(product['product-id']))
  const groups = Map.groupBy(chosen, ({ productType }) => productType)
  return Object.fromEntries(
    [...groups].map(([type, group]) => [
      type,
      group.map(({ name, 'start-option': startOption }) => ({ name, 'start-option': startOption })),
    ]),
  )
}
