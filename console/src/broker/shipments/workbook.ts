/* Reads the workbooks that the service writes (src/platform/tables/xlsx): their parts are in order, and each cell has its text or its number. */
import { fromSpreadsheetCell } from '../../../../src/kernel/spreadsheet-cell.ts'

/** The cells of a row: a number is a day or an amount. */
type Row = readonly (string | number)[]

/** The rows of each sheet, by its name. */
export async function readWorkbook(bytes: ArrayBuffer): Promise<ReadonlyMap<string, readonly Row[]>> {
  const parts = await unzip(bytes)
  const names = between(parts.get('xl/workbook.xml') ?? '', '<sheet name="', '"').map(unescapeXml)
  return new Map(names.map((name, index) => [name, rowsOf(parts.get(`xl/worksheets/sheet${index + 1}.xml`) ?? '')]))
}

/** The texts of a ZIP by path. */
async function unzip(bytes: ArrayBuffer): Promise<ReadonlyMap<string, string>> {
  const view = new DataView(bytes)
  const end = bytes.byteLength - 22
  const texts = new Map<string, string>()
  let at = view.getUint32(end + 16, true)
  for (let count = view.getUint16(end + 10, true); count > 0; count -= 1) {
    const size = view.getUint32(at + 20, true)
    const nameLength = view.getUint16(at + 28, true)
    const start = view.getUint32(at + 42, true)
    const data = start + 30 + view.getUint16(start + 26, true) + view.getUint16(start + 28, true)
    const inflated = new Blob([bytes.slice(data, data + size)])
      .stream()
      .pipeThrough(new DecompressionStream('deflate-raw'))
    const name = new TextDecoder().decode(bytes.slice(at + 46, at + 46 + nameLength))
    texts.set(name, await new Response(inflated).text())
    at += 46 + nameLength
  }
  return texts
}

/** Every row in its place: a sheet leaves none out. */
const rowsOf = (xml: string): Row[] => xml.split('<row r="').slice(1).map(cellsOf)

function cellsOf(row: string): Row {
  const cells: (string | number)[] = []
  for (const cell of row.split('<c r="').slice(1)) {
    const [text] = between(cell, '<t xml:space="preserve">', '</t>')
    const [serial] = between(cell, '<v>', '</v>')
    cells[columnOf(cell)] = text === undefined ? Number(serial) : fromSpreadsheetCell(unescapeXml(text))
  }
  return Array.from(cells, (cell) => cell ?? '')
}

/** The index of the column of an address such as `AB12`. */
function columnOf(address: string): number {
  let column = 0
  for (const character of address) {
    if (character < 'A' || character > 'Z') break
    column = column * 26 + character.charCodeAt(0) - 64
  }
  return column - 1
}

/** As portals in Brazil take a day, whatever the language of the console. Day 25,569 of a workbook is 1970-01-01. */
export function dayOf(serial: number): string {
  const day = new Date((serial - 25_569) * 86_400_000).toISOString().slice(0, 10)
  return day.split('-').toReversed().join('/')
}

/** What is between each start and the end after it. */
const between = (text: string, start: string, end: string) =>
  text
    .split(start)
    .slice(1)
    .map((rest) => rest.slice(0, rest.indexOf(end)))

const unescapeXml = (text: string) =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&gt;', '>')
    .replaceAll('&lt;', '<')
    .replaceAll('&amp;', '&')
    .replaceAll(/_x([0-9A-F]{4})_/g, (_escape, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
