import { type Static, Type } from 'typebox'
import { COLUMN_FORMATS, LAYOUT_FORMATS } from '../rules/layout.ts'
import { unfitForLines } from '#kernel/name.ts'
import { Closed, Named, OneOf } from '#platform/http/schemas.ts'
import { SOURCE_NAMES, TARGET_NAMES } from '../rules/layout-fields.ts'

const LAYOUT_ENCODINGS = ['utf-8', 'iso-8859-1', 'windows-1252'] as const
export type LayoutEncoding = (typeof LAYOUT_ENCODINGS)[number]

const maxRecords = 64
export const maxColumns = 200
/** The maximum for all records of a layout: several times those of the workbook of all carriers. */
export const maxColumnsOfLayout = 1000
export const maxRecordLength = 4000
export const maxFileBytes = 16 * 1024 * 1024
export const maxFileLines = 100_000
/** The limits of a file that is written: 10,000 movements with 200 cells each, and their characters, which a workbook compresses. */
export const maxFileCells = 2_000_000
export const maxFileCharacters = 64 * 1024 * 1024
const maxCodes = 500
/** Layouts that an installation has beside the built-in ones. */
export const maxLayouts = 500

const recordName = '^[a-z][a-z0-9-]{0,49}$'
const noControls = { not: { pattern: unfitForLines } }
const literalText = Type.String({ maxLength: maxRecordLength, ...noControls })
const Short = Type.String({ minLength: 1, maxLength: 200, ...noControls })
const Position = (description: string) => Type.Integer({ minimum: 1, maximum: maxRecordLength, description })

const Column = Named(
  'LayoutColumn',
  Closed({
    heading: Type.Optional({
      ...Short,
      description: 'Of `csv` and `xlsx` the heading, of `ndjson` the key; of `fixed-width` a name for people.',
    }),
    at: Type.Optional(Position('Of `fixed-width`: the first character, from 1.')),
    length: Type.Optional(Position('Of `fixed-width` its characters; else the most that it takes.')),
    offset: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: maxColumns,
        description: 'Of a record with a `block`: its cell, counted from that of the block.',
      }),
    ),
    literal: Type.Optional({ ...literalText, description: 'Filled with this text; empty: left empty.' }),
    source: Type.Optional(OneOf(SOURCE_NAMES, { description: 'Filled with this field of the movement.' })),
    total: Type.Optional(
      Type.String({
        maxLength: 60,
        description: '`count:NAME`: lines of that record; `lines`: of all records; `position`: the number of this one.',
        examples: ['count:primary'],
      }),
    ),
    target: Type.Optional(OneOf(TARGET_NAMES, { description: 'Read as this field.' })),
    drop: Type.Optional(Type.Literal(true, { description: 'Not read.' })),
    format: Type.Optional(OneOf(COLUMN_FORMATS, { description: 'How the value is written.' })),
    map: Type.Optional(
      Type.Record(Type.String({ maxLength: 100 }), Type.String({ maxLength: 200 }), {
        maxProperties: maxCodes,
        description:
          'The code of each value; `""` is that of none. Of a file that is read: the value of each code, which is found as it is, else without case, accents and punctuation. ' +
          'A value without a code is a problem.',
      }),
    ),
    pad: Type.Optional(
      Type.String({ pattern: '^[ -~]$', description: 'What fills the column up. Default: a space.', examples: ['0'] }),
    ),
    align: Type.Optional(OneOf(['left', 'right'], { description: 'Default: `left`.' })),
    required: Type.Optional(Type.Boolean({ description: 'Whether a movement, or a line, without it is refused.' })),
    overflow: Type.Optional(OneOf(['error', 'truncate'], { description: 'Of a longer value. Default: `error`.' })),
    sign: Type.Optional(
      Closed({
        column: { ...Short, description: 'The heading of another column of the record.' },
        'negative-when': Type.Array(Type.String({ maxLength: 20 }), { minItems: 1, maxItems: 100 }),
      }),
    ),
  }),
)
export type LayoutColumn = Static<typeof Column>

const Record = Named(
  'LayoutRecord',
  Closed({
    name: Type.String({ pattern: recordName, examples: ['primary'] }),
    sheet: Type.Optional(
      Type.String({
        pattern: "^[^\\\\/?*:\\[\\]']{1,31}$",
        description: 'Of `xlsx`: its sheet.',
        examples: ['Inclusões'],
      }),
    ),
    emit: Type.Optional(
      OneOf(['each', 'once-first', 'once-last'], {
        description: 'A line of each movement (default), or one at the beginning or the end of the file.',
      }),
    ),
    when: Type.Optional(
      Type.Record(
        Type.String({ maxLength: 60 }),
        Type.Union([
          Type.String({ maxLength: 60 }),
          Type.Array(Type.String({ maxLength: 60 }), { minItems: 1, maxItems: 50 }),
        ]),
        {
          maxProperties: 10,
          description: 'Only of movements in which each of these sources has the value, or one of the values.',
          examples: [{ 'movement.kind': 'inclusion', 'movement.beneficiary-type': 'primary' }],
        },
      ),
    ),
    match: Type.Optional(
      Closed({
        at: Type.Optional(Position('The first character, from 1.')),
        length: Type.Optional(Position('Its characters.')),
        equals: Type.Optional({ ...Short, description: 'Lines with this text there are of the record.' }),
        'first-cell': Type.Optional({
          ...Short,
          description: 'Lines whose first cell is this text are of the record.',
        }),
      }),
    ),
    block: Type.Optional(
      Closed({
        cell: { ...Short, description: 'The text of the cell where it begins.' },
        'digits-after': Type.Integer({ minimum: 1, maximum: 20, description: 'The digits of the next cell.' }),
      }),
    ),
    completes: Type.Optional(
      Type.String({
        pattern: recordName,
        description:
          'Of a roster or an invoice: its lines are parts of the lines of that record with the same sub-contract and certificate, and add what these lack.',
      }),
    ),
    columns: Type.Array(Column, { minItems: 1, maxItems: maxColumns }),
  }),
)
export type LayoutRecord = Static<typeof Record>

/** A description of a file: how it is written, or how it is read. */
export const Definition = Named(
  'LayoutDefinition',
  Closed({
    format: OneOf(LAYOUT_FORMATS),
    encoding: Type.Optional(
      OneOf(LAYOUT_ENCODINGS, { description: 'Default: `utf-8`; of `fixed-width` `iso-8859-1`, and never `utf-8`.' }),
    ),
    'line-ending': Type.Optional(OneOf(['crlf', 'lf'], { description: 'Default: `crlf`; of `ndjson` `lf`.' })),
    separator: Type.Optional(
      OneOf([';', ',', 'tab'], {
        description: 'Of `csv`. Default: `;`; of a file with headings that is read, that of its headings.',
      }),
    ),
    'formula-guard': Type.Optional(
      Type.Boolean({
        description:
          'Of `csv`: whether a cell that a spreadsheet program would execute gets an apostrophe before it. Default: true, as of tables that people ' +
          'open; false in files that a machine reads, which have what the movement has.',
      }),
    ),
    'record-length': Type.Optional(Position('Of `fixed-width`: the characters of each line.')),
    'header-lines': Type.Optional(
      Type.Array(Type.Union([Type.Literal('headings'), Type.Array(literalText, { maxItems: maxColumns })]), {
        maxItems: 10,
        description:
          'Of `csv`: the lines before those of records, each as its cells, or `headings`: those of the first record. Columns of a file with headings ' +
          'are found by them, in any order.',
      }),
    ),
    'skip-first-lines': Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 100,
        description: 'So many lines are not read. Of `csv` default: its `header-lines`.',
      }),
    ),
    'stop-at': Type.Optional({ ...Short, description: 'Nothing is read from the line on that begins with this text.' }),
    records: Type.Array(Record, {
      minItems: 1,
      maxItems: maxRecords,
      description: `With ${maxColumnsOfLayout} columns in all.`,
    }),
  }),
)
export type LayoutDefinition = Static<typeof Definition>

export const encodingOf = ({ encoding, format }: LayoutDefinition): LayoutEncoding =>
  encoding ?? (format === 'fixed-width' ? 'iso-8859-1' : 'utf-8')

/** What problems and refused cells call a column. @param index in its record. */
export function columnName({ heading, at }: LayoutColumn, index: number): string {
  return heading ?? String(at ?? index + 1)
}

/** Whether the columns of its lines are found by their headings. */
export function hasHeadings(definition: LayoutDefinition): boolean {
  return definition.format === 'xlsx' || (definition['header-lines'] ?? []).includes('headings')
}
