import { escapeXml, main, media, packages, relationships, type SheetColumn, SheetWriter, styles } from './write.ts'
import { zipOf } from './zip-writer.ts'

export interface SheetOfRows {
  readonly name: string
  readonly columns: readonly SheetColumn[]
  readonly rows: readonly (readonly (string | null)[])[]
}

/** A workbook of several sheets, the same bytes for the same rows. */
export function workbookOfSheets(sheets: readonly SheetOfRows[]): AsyncGenerator<Buffer> {
  const paths = sheets.map((_, index) => `worksheets/sheet${index + 1}.xml`)
  const override = (path: string, type: string) =>
    `<Override PartName="/xl/${path}" ContentType="${media}.${type}+xml"/>`
  return zipOf([
    [
      '[Content_Types].xml',
      [
        `<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>`,
        override('workbook.xml', 'sheet.main'),
        ...paths.map((path) => override(path, 'worksheet')),
        `${override('styles.xml', 'styles')}</Types>`,
      ],
    ],
    ['_rels/.rels', [relationships('xl/workbook.xml')]],
    [
      'xl/workbook.xml',
      [
        `<workbook ${main} xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><bookViews><workbookView/></bookViews><sheets>`,
        ...sheets.map(
          ({ name }, index) => `<sheet name="${escapeXml(name)}" sheetId="${index + 1}" r:id="r${index + 1}"/>`,
        ),
        '</sheets></workbook>',
      ],
    ],
    ['xl/_rels/workbook.xml.rels', [relationships(...paths, 'styles.xml')]],
    ['xl/styles.xml', [styles]],
    ...sheets.map((sheet, index) => [`xl/${paths[index]}`, sheetXml(sheet)] as const),
  ])
}

function* sheetXml({ columns, rows }: SheetOfRows): Generator<string> {
  const writer = new SheetWriter(columns)
  yield writer.head()
  for (const row of rows) yield writer.row(row)
  yield writer.tail()
}
