import { parseCnpj } from '../../../src/domain/tax-id.ts'
import { plainTaxId } from '../format/tax-id.ts'

/** What the service searches for: a CNPJ that was pasted in any form without punctuation, blanks and its label; else the text. */
export function companySearchText(text: string): string {
  const cnpj = parseCnpj(plainTaxId(text.replace(/^\s*cnpj\b/i, '')))
  return cnpj ?? text.trim()
}
