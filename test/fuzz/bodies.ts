import type { Rng } from '../crash/rng.ts'
import { cpfAt } from '../data/people.ts'
import { pick, type Source, textOf } from './generate.ts'
import { partsOf, rowOf, numberCell, textCell, zipOf } from '../platform/tables/workbook.ts'
import { hostileTexts, mutatedBytes } from './hostile.ts'

const signatures: Readonly<Record<string, string>> = {
  'application/pdf': '255044462d312e370a66756e640a2525454f460a',
  'image/jpeg': 'ffd8ffe000104a46494600010100000100010000ffd9',
  'image/png': '89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489',
  'image/tiff': '49492a0008000000000000000000',
  'image/heic': '00000018667479706865696300000000',
}

/** A file that begins as its type does; sometimes another one, or nothing. */
export function fileBody(rng: Rng, type: string): Buffer {
  const begin = Buffer.from(signatures[type] ?? signatures['application/pdf'] ?? '', 'hex')
  const draw = rng.between(0, 11)
  if (draw === 0) return Buffer.alloc(0)
  if (draw === 1) return Buffer.from('MZ not a document')
  return Buffer.concat([begin, Buffer.alloc(rng.between(0, draw === 2 ? 300_000 : 2_000), 0x20)])
}

/** A form with a file in one of its parts, as clients send it and as they should not. */
export function formBody(rng: Rng): { contentType: string; body: Buffer } {
  const boundary = pick(rng, ['fuzz-5f2c', 'x', '-'.repeat(70), "a'()+_,-./:=?"])
  const file = fileBody(rng, pick(rng, Object.keys(signatures)))
  const isOdd = rng.oneIn(3)
  const name = isOdd ? pick(rng, ['', 'File', '__proto__', 'file"; x="', 'a\r\nb', 'x'.repeat(300)]) : 'file'
  const fileName = isOdd ? pick(rng, hostileTexts) : 'documento.pdf'
  const part = Buffer.concat([
    Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; name="${name}"; filename="${fileName}"\r\n`),
    Buffer.from(
      isOdd && rng.oneIn(3) ? `x-part: ${'y'.repeat(20_000)}\r\n\r\n` : 'content-type: application/pdf\r\n\r\n',
    ),
    file,
    Buffer.from('\r\n'),
  ])
  const text = Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; name="note"\r\n\r\nx\r\n`)
  const end = Buffer.from(isOdd && rng.oneIn(3) ? `--${boundary}` : `--${boundary}--\r\n`)
  const parts = pick(rng, [[part], [text, part], [part, text], [part, part], Array<Buffer>(30).fill(text), []])
  return { contentType: `multipart/form-data; boundary="${boundary}"`, body: Buffer.concat([...parts, end]) }
}

/** Lines of a file of members, of decisions or of a carrier: the example with values of former responses, sometimes many or odd ones. */
export function lineBody(source: Source, examples: readonly unknown[], type: string): Buffer {
  const { rng } = source
  const example = String(pick(rng, examples))
  const lines = example.split('\n').filter((line) => line !== '')
  const header = type === 'text/csv' ? lines.splice(0, 1) : []
  const count = rng.oneIn(8) ? rng.between(0, 300) : rng.between(1, 4)
  const rows = Array.from({ length: count }, () =>
    pick(rng, lines.length > 0 ? lines : [example])
      .replaceAll('52998224725', () => cpfAt(rng.between(0, 800_000_000)))
      // An acknowledgement names somebody of a shipment.
      .replaceAll(/\d{3}\.\d{3}\.\d{3}-\d\d/g, () => textOf(source, 'member-tax-id', {}))
      .replaceAll('12ABC34501DE35', () => textOf(source, 'company-tax-id', {}))
      .replaceAll('Saúde Essencial', 'Saúde Essencial Enfermaria')
      .replaceAll(/01995e0c-[0-9a-f-]{27}/g, () => textOf(source, 'enrollment-id', { format: 'uuid' })),
  )
  if (rng.oneIn(5))
    rows.splice(
      rng.between(0, rows.length),
      0,
      pick(rng, ['', ';;;', '"', '{}', '[]', '\0', '"a\n', `${'x'.repeat(20_000)};`, ...hostileTexts]),
    )
  const text = [...header, ...rows, ''].join(pick(rng, ['\n', '\n', '\r\n']))
  return Buffer.from(text, rng.oneIn(8) ? 'latin1' : 'utf8')
}

const ofPerson = ['card-number', 'tax-id', 'name', 'date-of-birth', 'relationship', 'carrier-plan-code', 'start-date']
/** What a file of a carrier has beside the person. */
const ofKind: Readonly<Record<string, readonly string[]>> = {
  roster: ['end-date', 'mothers-name', 'gender'],
  invoice: ['entry-type', 'entry-month', 'amount', 'employee-amount'],
  coparticipation: ['reference-month', 'amount'],
}

/** A file of a carrier: people of former responses and others, with amounts and days, some of them odd. */
export function carrierFileBody(source: Source, kind: string): Buffer {
  const { rng } = source
  const headings = [...ofPerson, ...(ofKind[kind] ?? [])].filter(() => !rng.oneIn(12))
  const money = () => `${rng.oneIn(6) ? '-' : ''}${rng.between(0, 3_000)},${rng.between(10, 99)}`
  const values: Readonly<Record<string, () => string>> = {
    'card-number': () => (rng.oneIn(2) ? `C-${rng.between(1, 1_000)}` : ''),
    'tax-id': () => textOf(source, 'member-tax-id', {}).replace(/^0+/, rng.oneIn(2) ? '' : '$&'),
    name: () => pick(rng, ['Helena Brandão Souza', 'João D’Ávila', 'HELENA  BRANDAO SOUZA']),
    relationship: () => pick(rng, ['primary', 'child', 'spouse', 'other']),
    'carrier-plan-code': () => pick(rng, ['AE1230', 'AE1230', 'XX']),
    'mothers-name': () => 'Ana Lima',
    gender: () => pick(rng, ['female', 'male']),
    'entry-type': () =>
      pick(rng, ['', 'monthly', 'inclusion-retroactive', 'cancellation-retroactive', 'fee', 'discount']),
    'entry-month': () => pick(rng, ['', '2026-10', '2026-09']),
    'reference-month': () => pick(rng, ['2026-10', '2026-11']),
    amount: money,
    'employee-amount': () => (rng.oneIn(3) ? money() : ''),
  }
  const day = () => pick(rng, ['1990-05-17', '2026-11-01', '2026-10-15', '2027-01-01', '2026-02-30', ''])
  const cellOf = (name: string) => (rng.oneIn(80) ? pick(rng, hostileTexts) : (values[name] ?? day)())
  const rows = Array.from({ length: rng.oneIn(10) ? rng.between(0, 400) : rng.between(1, 20) }, () =>
    headings.map(cellOf),
  )
  // Some are there twice.
  const text = [headings, ...rows, ...rows.filter(() => rng.oneIn(8))].map((cells) => cells.join(';')).join('\n')
  return rng.oneIn(15)
    ? mutatedBytes(rng, Buffer.from(text))
    : Buffer.from(`${text}\n`, rng.oneIn(8) ? 'latin1' : 'utf8')
}

const oddCells = [
  '<c t="e"><v>#N/A</v></c>',
  '<c t="s"><v>9</v></c>',
  '<c r="C1"/>',
  '<c><f>1/0</f></c>',
  '<c t="b"><v>1</v></c>',
]

/** The lines of a CSV as a workbook: some cells as numbers, days or what only workbooks have, sometimes with a damaged part. */
export function workbookBody(source: Source, examples: readonly unknown[]): Buffer {
  const { rng } = source
  const cellOf = (text: string) => {
    if (rng.oneIn(60)) return pick(rng, oddCells)
    return /^\d+$/.test(text) && rng.oneIn(2) ? numberCell(text, rng.between(0, 2)) : textCell(text)
  }
  const lines = lineBody(source, examples, 'text/csv').toString().split(/\r?\n/)
  const xml = lines.map((line) => rowOf(line.split(';').map(cellOf), rng.oneIn(40) ? ' hidden="1"' : '')).join('')
  const parts = partsOf({ sheets: [{ xml }], styles: [0, 14], is1904: rng.oneIn(4) })
  const damaged = rng.oneIn(3) ? rng.between(0, parts.length - 1) : -1
  return zipOf(
    parts.map((part, index) =>
      index === damaged ? { ...part, data: mutatedBytes(rng, Buffer.from(part.data)) } : part,
    ),
  )
}
