/*
 * The Portuguese words that spreadsheets write for the values of closed sets.
 */
import portuguese from '../../../texts/pt-BR.json' with { type: 'json' }
import type { BeneficiaryType, DependentType, GENDERS, MaritalStatus, WORK_CONTRACT_TYPES } from '#kernel/enums.ts'

/** Words of a closed set, by its values. */
export type Words<Value extends string> = Readonly<Record<Value, readonly string[]>>

/** The masculine and the feminine word, and both in one, such as `filho(a)`. */
function pair(masculine: string, feminine = masculine.replace(/o$/, 'a')): readonly string[] {
  return [masculine, feminine, `${masculine}(a)`]
}

const others = [...pair('outro'), 'outros'] as const

const roles: Words<BeneficiaryType> = { primary: ['titular'], dependent: ['dependente'] }

const genders: Words<(typeof GENDERS)[number]> = { female: ['F', 'feminino'], male: ['M', 'masculino'] }

const maritalStatuses: Words<MaritalStatus> = {
  single: pair('solteiro'),
  married: pair('casado'),
  divorced: pair('divorciado'),
  widowed: pair('viúvo'),
  // What has no value of its own.
  others: [
    ...others,
    'união estável',
    ...pair('separado'),
    ...pair('separado judicialmente', 'separada judicialmente'),
    ...pair('desquitado'),
  ],
}

const workContractTypes: Words<(typeof WORK_CONTRACT_TYPES)[number]> = {
  'brazil-labor-law': ['CLT'],
  'services-contract': ['PJ', 'prestador de serviços'],
  partner: pair('sócio'),
  intern: pair('estagiário'),
  'on-leave': pair('afastado'),
  other: others,
}

const dependentTypes: Words<DependentType> = {
  spouse: ['cônjuge', ...pair('esposo')],
  partner: pair('companheiro'),
  child: pair('filho'),
  stepchild: pair('enteado'),
  'adopted-child': ['filho adotivo', 'filha adotiva', 'filho(a) adotivo(a)'],
  ward: ['menor sob guarda', 'menor sob tutela', ...pair('tutelado')],
  parent: ['pai', 'mãe'],
  'parent-in-law': pair('sogro'),
  sibling: pair('irmão', 'irmã'),
  'sibling-in-law': pair('cunhado'),
  grandchild: pair('neto'),
  grandparent: ['avô', 'avó'],
  'nephew-niece': pair('sobrinho'),
  'uncle-aunt': pair('tio'),
  other: others,
}

/** The words of a closed set with its terms, which an exported roster holds. */
function withTerms<Value extends string>(words: Words<Value>, terms: Readonly<Record<Value, string>>): Words<string> {
  const entries = Object.entries(words) as [Value, readonly string[]][]
  return Object.fromEntries(entries.map(([value, list]) => [value, [...list, terms[value]]]))
}

const { terms } = portuguese

/** By closed set, as in `terms` of texts/. */
export const IMPORT_WORDS = {
  beneficiaryType: withTerms(roles, terms.beneficiaryType),
  gender: withTerms(genders, terms.gender),
  maritalStatus: withTerms(maritalStatuses, terms.maritalStatus),
  workContractType: withTerms(workContractTypes, terms.workContractType),
  dependentType: withTerms(dependentTypes, terms.dependentType),
}
