import { MIN_SEARCH_CHARACTERS } from '../../../../src/kernel/search.ts'
import { parseCpf } from '../../../../src/kernel/tax-id.ts'
import { parseDate } from '../../format/parse-date.ts'
import { plainTaxId } from '../../format/tax-id.ts'

/** Which people of the company are listed. */
export interface PeopleSearch {
  /** A part of a name, an e-mail address or an employee id. */
  readonly q?: string
  /** Also those who are pending or have left. */
  readonly all?: true
  /** Those who were covered on this day. */
  readonly on?: string
}

type Raw = Readonly<Record<string, unknown>>

export function peopleSearchOf({ q, all, on }: Raw): PeopleSearch {
  const text = typeof q === 'number' ? String(q) : q
  const day = typeof on === 'string' ? parseDate(on) : null
  return {
    ...(typeof text === 'string' && text.trim() !== '' ? { q: text } : {}),
    ...(all === true ? { all } : {}),
    ...(day === null ? {} : { on: day }),
  }
}

/** The CPF that a text is; null for any other. */
export const cpfOf = (text: string): string | null => (/^[\d.\s-]+$/.test(text) ? parseCpf(plainTaxId(text)) : null)

/** Whether the text is too short to be searched for. */
export const isTooShort = (text: string) => Array.from(text.trim()).length < MIN_SEARCH_CHARACTERS

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
  }
}
