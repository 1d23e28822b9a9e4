import type { TFunction } from 'i18next'
import { formatNumber } from '../../format/number.ts'
import type { When } from './rule.ts'

/** The conditions of a rule in words, without its carriers. */
export function conditionWords(t: TFunction<['requirements', 'terms']>, when: When): string[] {
  const counted = (key: 'companies' | 'products', list: readonly string[]) =>
    list.length === 0 ? [] : [t(`requirements:words.${key}`, { count: list.length })]
  const number = (key: 'ageFrom' | 'ageUntil' | 'daysOver', value: number | null) =>
    value === null ? [] : [t(`requirements:words.${key}`, { count: value, formatted: formatNumber(value) })]
  return [
    ...when.movements.map((value) => t(`terms:type.${value}`)),
    ...when['beneficiary-types'].map((value) => t(`terms:beneficiaryType.${value}`)),
    ...when['dependent-types'].map((value) => t(`terms:dependentType.${value}`)),
    ...when['work-contract-types'].map((value) => t(`terms:workContractType.${value}`)),
    ...when['exclusion-reasons'].map((value) => t(`terms:exclusionReason.${value}`)),
    ...when['product-types'].map((value) => t(`terms:productType.${value as 'other'}`, { defaultValue: value })),
    ...counted('companies', when['company-tax-ids']),
    ...counted('products', when['product-ids']),
    ...(when.lives === null ? [] : [t(`terms:contractLives.${when.lives}`)]),
    ...number('ageFrom', when['age-from']),
    ...number('ageUntil', when['age-until']),
    ...number('daysOver', when['days-since-admission-over']),
    ...(when.late === null ? [] : [t(when.late ? 'requirements:words.late' : 'requirements:words.inTime')]),
  ]
}
