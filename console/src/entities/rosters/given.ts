import { EXCLUSION_FIELDS } from '../../../../src/coverage/rules/exclusion-details.ts'
import { fieldsOf } from '../movement-forms/reason-fields.ts'
import { EXCLUSION_REASONS } from '../../../../src/kernel/enums.ts'
import { type Values, written } from '../movement-forms/field-types.ts'
import type { DraftItem } from '../movement-drafts/draft.ts'
import type { Confirmation } from './client.ts'

/** What is given for items beside what the list states, by their number. */
export type Given = ReadonlyMap<number, Values>

type ItemOfConfirmation = NonNullable<Confirmation['items']>[number]

/** What an item still lacks. */
export const lackingOf = (item: DraftItem, given: Given): readonly string[] => {
  const values = written(given.get(item.number) ?? {})
  return item.needs.filter((need) => !Object.hasOwn(values, need))
}

/** What depends on the reason of an exclusion. @param needs what is missing, whatever the reason. */
export function exclusionFields(values: Values, needs: readonly string[]): readonly string[] {
  const reason = EXCLUSION_REASONS.find((one) => one === values['exclusion-reason']) ?? null
  const hadRetired = String(values['keeps-working-after-retirement']) === 'true'
  return [...new Set([...needs, ...fieldsOf(reason, hadRetired)])]
}

const isOfExclusion = (field: string) => Object.hasOwn(EXCLUSION_FIELDS, field)

/** As a confirmation names an item. */
export function confirmedItem({ number, movement }: DraftItem, given: Given): ItemOfConfirmation {
  const { 'start-option': option, 'start-date': date, ...others } = written(given.get(number) ?? {})
  const isExclusion = movement === 'exclusion'
  const details = Object.fromEntries(Object.entries(others).filter(([field]) => !isExclusion || isOfExclusion(field)))
  return {
    number,
    ...(option !== undefined && { 'start-option': option }),
    ...(date !== undefined && { 'start-date': date }),
    ...(Object.keys(details).length > 0 && { [isExclusion ? 'exclusion-details' : 'data']: details }),
  } as ItemOfConfirmation
}

/** What is given for all, by what the class takes. */
export function forAll(values: Values): Pick<Confirmation, 'exclusion-details' | 'start-option' | 'start-date'> {
  const { 'start-option': option, 'start-date': date, ...details } = written(values)
  return {
    ...(option !== undefined && { 'start-option': option }),
    ...(date !== undefined && { 'start-date': date }),
    ...(Object.keys(details).length > 0 && { 'exclusion-details': details }),
  } as Pick<Confirmation, 'exclusion-details' | 'start-option' | 'start-date'>
}
