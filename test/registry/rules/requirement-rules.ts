import type { RequirementConditions, RequirementRule } from '#registry/rules/requirement.ts'

const noConditions: RequirementConditions = {
  'carrier-names': [],
  'product-types': [],
  'product-ids': [],
  'company-tax-ids': [],
  movements: [],
  'beneficiary-types': [],
  'dependent-types': [],
  'work-contract-types': [],
  'exclusion-reasons': [],
  lives: null,
  'age-from': null,
  'age-until': null,
  'days-since-admission-over': null,
  late: null,
}

/** A rule in force that asks for a union declaration of everybody. */
export function ruleOf({
  when = {},
  ...more
}: Partial<Omit<RequirementRule, 'when'>> & { when?: Partial<RequirementConditions> } = {}): RequirementRule {
  return {
    'rule-id': '01995e0b-7c11-7f22-8b33-4d5e6f708192',
    name: 'Companheiro',
    active: true,
    'valid-from': null,
    when: { ...noConditions, ...when },
    require: [{ 'any-of': ['stable-union-declaration'], of: 'dependent', message: 'Declaração de união estável' }],
    enforcement: 'pending',
    carrierKeys: [],
    ...more,
  }
}
