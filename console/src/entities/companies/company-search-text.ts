import { parseCnpj } from '../../../../src/kernel/tax-id.ts'
import { plainTaxId } from '../../format/tax-id.ts'

/** The CNPJ of a text that was typed or pasted in any form, also after the word CNPJ; null for none. */
export function pastedCnpj(text: string): string | null {
  return parseCnpj(plainTaxId(text.replace(/^\s*cnpj\b/i, '')))
}

/** What the service searches for: a whole CNPJ without punctuation and blanks, else the text. */
export function companySearchText(text: string): string {
  return pastedCnpj(text) ?? text.trim()
}
