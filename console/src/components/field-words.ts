import i18next from 'i18next'
import { ownValue, type Terms, termOf } from '../../../src/kernel/texts/texts.ts'
import { currentLanguage } from '../language/language.ts'

/** The name of a field of the API: its term in Portuguese, its own words in English. */
export function fieldName(field: string): string {
  const words = field.replaceAll('-', ' ').replace(/^./, (first) => first.toUpperCase())
  return currentLanguage() === 'pt-BR' ? (termOf(field) ?? words) : words
}

/** The closed set of `terms` that the values of a field are of. */
export const closedSets = {
  'alteration-kind': 'alterationKind',
  'beneficiary-type': 'beneficiaryType',
  'continuation-ground': 'exclusionReason',
  'dependent-type': 'dependentType',
  'enrollment-type': 'type',
  'exclusion-reason': 'exclusionReason',
  gender: 'gender',
  lives: 'contractLives',
  'marital-status': 'maritalStatus',
  option: 'continuationOption',
  'product-type': 'productType',
  'request-type': 'type',
  'scheduled-reason': 'scheduledReason',
  'second-card-reason': 'secondCardReason',
  'start-option': 'startOption',
  'work-contract-type': 'workContractType',
} as const satisfies Readonly<Record<string, keyof Terms>>

/** The value of a field of a closed set in the words of the console; undefined: it has none. */
export function wordOf(field: string, value: string): string | undefined {
  const set = ownValue(closedSets, field)
  if (set === undefined) return undefined
  const key: string = `terms:${set}.${value}`
  return i18next.t(key, { defaultValue: '' }) || undefined
}
