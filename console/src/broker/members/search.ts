import { MIN_SEARCH_CHARACTERS } from '../../../../src/kernel/search.ts'
import { parseCpf } from '../../../../src/kernel/tax-id.ts'
import { parseDate } from '../../format/parse-date.ts'
import { plainTaxId } from '../../format/tax-id.ts'

export interface MembersSearch {
  /** A CPF, or a part of a name, an e-mail address or an employee id. */
  readonly q?: string
  readonly 'company-tax-id'?: string
  readonly 'include-inactive'?: true
}

export interface MemberSearch {
  /** The day of which the benefits in force are marked. */
  readonly on?: string
}

type Raw = Readonly<Record<string, unknown>>

/** Text of the address; digits alone come as a number. */
function textOf(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : value
  return typeof text === 'string' && text.trim() !== '' ? text : undefined
}

export function membersSearchOf(raw: Raw): MembersSearch {
  const [q, company] = [textOf(raw['q']), textOf(raw['company-tax-id'])]
  return {
    ...(q === undefined ? {} : { q }),
    ...(company === undefined ? {} : { 'company-tax-id': company }),
    ...(raw['include-inactive'] === true ? { 'include-inactive': true } : {}),
  }
}

export function memberSearchOf(raw: Raw): MemberSearch {
  const on = parseDate(textOf(raw['on']) ?? '')
  return on === null ? {} : { on }
}

const likeCpf = /^[\d.\s/-]+$/

/** Whether the text may be a CPF or a part of one. */
export const isLikeTaxId = (text: string) => likeCpf.test(text)

/** Why a text cannot be searched for: too short, or a CPF with wrong digits; null when it can. */
export function searchError(text: string): 'tooShort' | 'invalidCpf' | null {
  if (Array.from(text.trim()).length < MIN_SEARCH_CHARACTERS) return 'tooShort'
  const isFormatted = likeCpf.test(text) && /\D/.test(text.trim()) && plainTaxId(text).length === 11
  return isFormatted && parseCpf(plainTaxId(text)) === null ? 'invalidCpf' : null
}

/** The parameters of `searchMembers`; null when there is nothing to search for. What is a CPF is searched for as one. */
export function queryOf(search: MembersSearch): object | null {
  const { q, ...others } = search
  const text = q?.trim() ?? ''
  if (text === '') return others['company-tax-id'] === undefined ? null : others
  if (searchError(text) !== null) return null
  const cpf = likeCpf.test(text) ? parseCpf(plainTaxId(text)) : null
  return { ...others, ...(cpf === null ? { q: text } : { 'tax-id': cpf }) }
}
