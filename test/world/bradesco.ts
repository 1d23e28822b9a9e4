/* An invoice of 180 characters, of invented people. */

export interface InvoiceEntry {
  readonly certificate: string
  readonly name: string
  /** `ddMMyyyy` */
  readonly born?: string
  readonly type?: string
  /** `MMyyyy` */
  readonly period?: string
  /** In cents; a credit is negative. */
  readonly amount: number
}

/** A line of fixed width: texts at positions that count from 1. */
function line(...parts: readonly (readonly [at: number, text: string])[]): string {
  let text = ''
  for (const [at, part] of parts) text = text.padEnd(at - 1) + part
  return text.padEnd(180)
}

const cents = (amount: number): string => String(Math.abs(amount)).padStart(15, '0')

/** The file. @param month `yyyyMM` */
export function bradescoInvoice(
  contract: string,
  month: string,
  entries: readonly InvoiceEntry[],
  trailer = entries.reduce((sum, entry) => sum + entry.amount, 0),
): Buffer {
  const lines = [
    line([1, '1FATURA TECNICA'], [73, contract], [117, month], [123, `${month}01`]),
    ...entries.map((entry) =>
      line(
        [1, '30001'],
        [6, entry.certificate.padStart(7, '0')],
        [13, '00'],
        [15, entry.name.slice(0, 35)],
        [54, entry.born ?? '01011990'],
        [62, '1110'],
        [69, '01012020'],
        [77, entry.type ?? ''],
        [79, entry.period ?? ''],
        [85, cents(entry.amount)],
        [100, cents(0)],
        [115, entry.amount < 0 ? '55' : entry.type === 'IR' ? '03' : '01'],
      ),
    ),
    line([1, '49999(TS)SUBFATURA'], [65, cents(trailer)]),
  ]
  return Buffer.from(`${lines.join('\r\n')}\r\n`, 'latin1')
}
