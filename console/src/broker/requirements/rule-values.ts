import type { Rule, RuleBody, When } from './rule.ts'

/** '' where the input is empty. */
type NumberValue = number | string

/** The form of a rule, by the names of the API. */
export interface RuleValues {
  readonly name: string
  readonly active: boolean
  readonly 'valid-from': string | null
  readonly enforcement: NonNullable<RuleBody['enforcement']>
  readonly when: Omit<When, 'late' | 'age-from' | 'age-until' | 'days-since-admission-over'> & {
    readonly late: 'yes' | 'no' | null
    readonly 'age-from': NumberValue
    readonly 'age-until': NumberValue
    readonly 'days-since-admission-over': NumberValue
  }
  readonly require: RequireValues[]
}

interface RequireValues {
  /** Stays while others are removed. */
  readonly key: string
  readonly 'any-of': RuleBody['require'][number]['any-of']
  readonly of: Exclude<RuleBody['require'][number]['of'], undefined>
  readonly message: string
}

let rows = 0
export const newRequire = (): RequireValues => ({ key: `row-${++rows}`, 'any-of': [], of: null, message: '' })

export const newRule = (): RuleValues => ({
  name: '',
  active: true,
  'valid-from': null,
  enforcement: 'pending',
  when: {
    'carrier-names': [],
    'product-types': [],
    'product-ids': [],
    'company-tax-ids': [],
    movements: ['inclusion'],
    'beneficiary-types': [],
    'dependent-types': [],
    'work-contract-types': [],
    'exclusion-reasons': [],
    lives: null,
    late: null,
    'age-from': '',
    'age-until': '',
    'days-since-admission-over': '',
  },
  require: [newRequire()],
})

export function valuesOf(rule: Rule): RuleValues {
  const { when } = rule
  return {
    name: rule.name,
    active: rule.active,
    'valid-from': rule['valid-from'],
    enforcement: rule.enforcement,
    when: {
      ...when,
      late: when.late === null ? null : when.late ? 'yes' : 'no',
      'age-from': when['age-from'] ?? '',
      'age-until': when['age-until'] ?? '',
      'days-since-admission-over': when['days-since-admission-over'] ?? '',
    },
    require: rule.require.map((one) => ({ ...newRequire(), ...one })),
  }
}

const numberOf = (value: NumberValue) => (value === '' ? null : Number(value))

/** What the service takes; it judges whether it is complete. */
export function bodyOf(values: RuleValues): RuleBody {
  const { when } = values
  return {
    ...values,
    name: values.name.trim(),
    when: {
      ...when,
      late: when.late === null ? null : when.late === 'yes',
      'age-from': numberOf(when['age-from']),
      'age-until': numberOf(when['age-until']),
      'days-since-admission-over': numberOf(when['days-since-admission-over']),
    },
    require: values.require.map(({ key: _key, message, ...one }) => ({ ...one, message: message.trim() })),
  }
}
