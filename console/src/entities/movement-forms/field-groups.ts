import { PROFILE_FIELDS, INCLUSION_FIELDS } from '../../../../src/kernel/inclusion-fields.ts'
import { REGISTRATION_ALIASES } from '../../../../src/kernel/registration-fields.ts'

/** The fields of a person, as they are asked for: by whom it is, the work, and how to reach them. All others are optional and stay closed. */
const identity = ['name', 'tax-id', 'date-of-birth', 'gender', 'mothers-name', 'marital-status']
const kinship = ['dependent-type', 'dependency-date']
const work = ['admission-date', 'employee-id', 'work-contract-type', 'job-title', 'cost-center', 'salary']
const contact = ['email-private', 'email-corporate', 'phone']

export const openGroups = {
  primary: [
    { name: 'identity', fields: identity },
    { name: 'work', fields: work },
    { name: 'contact', fields: contact },
  ],
  dependent: [{ name: 'identity', fields: [...kinship, ...identity] }],
} as const

const shown = {
  primary: new Set([...identity, ...work, ...contact]),
  dependent: new Set([...kinship, ...identity, ...work.filter((field) => field !== 'cost-center')]),
}

/** What else the API takes of a person. */
export function moreFields(type: 'primary' | 'dependent'): readonly string[] {
  const isAlias = (field: string) => Object.hasOwn(REGISTRATION_ALIASES, field)
  return Object.keys(PROFILE_FIELDS).filter(
    (field) => !shown[type].has(field) && !isAlias(field) && !(type === 'primary' && kinship.includes(field)),
  )
}

/** Whether the API requires the field of such a person. */
export function isRequired(field: string, type: 'primary' | 'dependent', startOptions: readonly string[]): boolean {
  if (field === 'dependent-type') return true
  if (field === 'admission-date') return type === 'primary' && startOptions.includes('on-admission-date')
  const fields: Readonly<Record<string, { readonly presence: string }>> = INCLUSION_FIELDS
  return fields[field]?.presence === 'required'
}
