import { MIN_SEARCH_CHARACTERS } from '../../../../src/kernel/search.ts'
import { parseCpf } from '../../../../src/kernel/tax-id.ts'
import { plainTaxId } from '../../format/tax-id.ts'
import { flag, searchOf, text } from '../../lists/search.ts'

/** `q`: a CPF, or a part of a name, an e-mail address or an employee id. */
export const membersSearchOf = searchOf({ q: text, 'company-tax-id': text, 'include-inactive': flag })
export type MembersSearch = ReturnType<typeof membersSearchOf>

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
