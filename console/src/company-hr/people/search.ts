import { MIN_SEARCH_CHARACTERS } from '../../../../src/kernel/search.ts'
import { parseCpf } from '../../../../src/kernel/tax-id.ts'
import { plainTaxId } from '../../format/tax-id.ts'
import { anyDay, flag, searchOf, text } from '../../lists/search.ts'

/**
 * Which people of the company are listed: `q` is a part of a name, an e-mail address or an employee id, or a card number, `all` are also those who are pending or have
 * left, `on` is a day on which they were covered.
 */
export const peopleSearchOf = searchOf({ q: text, all: flag, on: anyDay })
export type PeopleSearch = ReturnType<typeof peopleSearchOf>

/** The CPF that a text is; null for any other. */
export const cpfOf = (written: string): string | null =>
  /^[\d.\s-]+$/.test(written) ? parseCpf(plainTaxId(written)) : null

/** Whether the text is too short to be searched for. */
export const isTooShort = (written: string) => Array.from(written.trim()).length < MIN_SEARCH_CHARACTERS

/** The parameters of `listMembers`. */
export function queryOf({ q, all, on }: PeopleSearch, companyTaxId: string): object {
  const cpf = q === undefined ? null : cpfOf(q)
  const isSearch = q !== undefined && cpf === null && !isTooShort(q)
  return {
    'company-tax-id': companyTaxId,
    ...(cpf === null ? {} : { filter: `tax-id=${cpf}` }),
    ...(isSearch ? { q } : {}),
    ...(on === undefined ? {} : { 'active-on': on }),
    'include-inactive': all === true || cpf !== null,
    sort: 'name',
  }
}
