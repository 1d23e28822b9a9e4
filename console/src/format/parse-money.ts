/** `5230`, `5.230,00`, `R$ 5.230` or `5230.00` in cents; null for no amount. */
export function parseMoney(text: string): number | null {
  const digits = text.replaceAll(/[R$\s\u00a0]/g, '')
  const match = /^(\d{1,3}(?:\.\d{3})+|\d+)(?:,(\d{1,2}))?$/.exec(digits) ?? /^(\d+)\.(\d{1,2})$/.exec(digits)
  if (match === null) return null
  const [, whole = '', fraction = ''] = match
  return Number(whole.replaceAll('.', '')) * 100 + Number(fraction.padEnd(2, '0'))
}
