/* What the schema of a layout cannot say: how its parts fit together. */
import { type FieldError, hasAtMostCharacters } from '#kernel/fields.ts'
import type { Message } from '#kernel/messages.ts'
import { type ColumnFormat, isWritten, type LayoutDirection } from '../rules/layout.ts'
import {
  columnName,
  encodingOf,
  hasHeadings,
  type LayoutColumn,
  type LayoutDefinition,
  type LayoutRecord,
  maxColumnsOfLayout,
  maxRecordLength,
} from './definition.ts'
import { foldHeading } from '#kernel/heading.ts'
import {
  type FieldOfLayout,
  isOfHeader,
  isSourceOf,
  namesHealthData,
  SOURCES,
  TARGETS,
} from '../rules/layout-fields.ts'
import { isRepresentable } from './values.ts'

/** Where a column is, and what it depends on. */
interface Place {
  readonly definition: LayoutDefinition
  readonly record: LayoutRecord
  readonly isRead: boolean
  /** The path of the column or the record. */
  readonly path: string
}

const invalid = (field: string, message: Message): FieldError => ({ field, code: 'invalid', message })
const notApplicable = (field: string): FieldError => ({ field, code: 'not-applicable' })

/** What is wrong with a definition whose fields are valid each. */
export function definitionErrors(direction: LayoutDirection, definition: LayoutDefinition): FieldError[] {
  const isRead = !isWritten(direction)
  const errors = fileErrors(definition, isRead)
  const names = definition.records.map(({ name }) => name)
  for (const [index, record] of definition.records.entries()) {
    const path = `definition.records[${index}]`
    if (names.indexOf(record.name) < index) errors.push({ field: `${path}.name`, code: 'repeated' })
    errors.push(...recordErrors({ definition, record, isRead, path }))
    for (const [at, column] of record.columns.entries()) {
      const columnPath = `${path}.columns[${at}]`
      if (column.source !== undefined && !isSourceOf(direction, column.source)) {
        errors.push(notApplicable(`${columnPath}.source`))
      }
      errors.push(...columnErrors(column, { definition, record, isRead, path: columnPath }))
    }
  }
  return errors
}

/** The members of a definition that only some formats have. */
const ownMembers = {
  separator: ['csv'],
  'header-lines': ['csv'],
  'formula-guard': ['csv'],
  'record-length': ['fixed-width'],
  'line-ending': ['csv', 'fixed-width', 'ndjson'],
  'skip-first-lines': ['csv', 'fixed-width'],
  'stop-at': ['csv', 'fixed-width', 'xlsx'],
} as const

function fileErrors(definition: LayoutDefinition, isRead: boolean): FieldError[] {
  const { format, records } = definition
  const errors = Object.entries(ownMembers).flatMap(([member, formats]) =>
    member in definition && !(formats as readonly string[]).includes(format)
      ? [notApplicable(`definition.${member}`)]
      : [],
  )
  const isUtf8 = encodingOf(definition) === 'utf-8'
  if (format === 'fixed-width' ? isUtf8 : !isUtf8 && format !== 'csv') errors.push(notApplicable('definition.encoding'))
  if (format === 'fixed-width' && definition['record-length'] === undefined) {
    errors.push({ field: 'definition.record-length', code: 'missing' })
  }
  if (!isRead) {
    for (const member of ['skip-first-lines', 'stop-at'] as const) {
      if (member in definition) errors.push(notApplicable(`definition.${member}`))
    }
  }
  const headerCells = (definition['header-lines'] ?? []).flat()
  if (!headerCells.every((cell) => isRepresentable(cell, encodingOf(definition)))) {
    errors.push(invalid('definition.header-lines', { key: 'layout-not-representable' }))
  }
  if (records.flatMap(({ columns }) => columns).length > maxColumnsOfLayout) {
    errors.push(invalid('definition.records', { key: 'layout-columns', limit: maxColumnsOfLayout }))
  }
  if (!isRead && !records.some((record) => emitOf(record) === 'each')) {
    errors.push(invalid('definition.records', { key: 'layout-no-record-each' }))
  }
  return errors
}

export const emitOf = ({ emit }: LayoutRecord): 'each' | 'once-first' | 'once-last' => emit ?? 'each'

function recordErrors(place: Place): FieldError[] {
  const { definition, record, isRead, path } = place
  const { format, records } = definition
  const errors: FieldError[] = []
  for (const member of isRead ? (['emit', 'when'] as const) : (['match', 'block', 'completes'] as const)) {
    if (member in record) errors.push(notApplicable(`${path}.${member}`))
  }
  if ('sheet' in record && format !== 'xlsx') errors.push(notApplicable(`${path}.sheet`))
  if ('sheet' in record !== 'sheet' in (records[0] ?? {})) errors.push({ field: `${path}.sheet`, code: 'missing' })
  if (emitOf(record) !== 'each' && !['csv', 'fixed-width'].includes(format)) errors.push(notApplicable(`${path}.emit`))
  errors.push(...whenErrors(record, path), ...matchErrors(place), ...blockErrors(place))
  if (hasHeadings(definition)) errors.push(...headingErrors(place))
  if (format === 'ndjson') errors.push(...keyErrors(record, path))
  if (format === 'fixed-width') errors.push(...overlapErrors(place))
  return errors
}

function whenErrors({ when = {}, emit = 'each' }: LayoutRecord, path: string): FieldError[] {
  if (emit !== 'each' && Object.keys(when).length > 0) return [notApplicable(`${path}.when`)]
  return Object.entries(when).flatMap(([source, values]) => {
    const field = `${path}.when.${source}`
    const known = fieldOf(SOURCES, source)?.values
    if (known === undefined) return [{ field, code: 'unknown' as const }]
    const unknown = [values].flat().filter((value) => !known.includes(value))
    return unknown.length === 0 ? [] : [invalid(field, { key: 'one-of', values: known })]
  })
}

function matchErrors({ definition, record, path }: Place): FieldError[] {
  const { match } = record
  if (match === undefined) return []
  const field = `${path}.match`
  const isCell = 'first-cell' in match
  if (definition.format === 'ndjson') return [notApplicable(field)]
  if (definition.format !== 'fixed-width') {
    return isCell && Object.keys(match).length === 1
      ? []
      : [invalid(field, { key: 'layout-all-of', names: ['first-cell'] })]
  }
  const { at = 0, length = 0, equals = '' } = match
  if (isCell || at === 0 || length === 0 || equals === '') {
    return [invalid(field, { key: 'layout-all-of', names: ['at', 'length', 'equals'] })]
  }
  return at + length - 1 > lengthOf(definition) ? [invalid(field, beyond(definition))] : []
}

/** A block is found in the cells of a line without headings. */
function blockErrors({ definition, record, path }: Place): FieldError[] {
  const { block, completes, columns } = record
  const errors: FieldError[] = []
  if (block !== undefined && (definition.format !== 'csv' || hasHeadings(definition)))
    errors.push(notApplicable(`${path}.block`))
  for (const [index, { offset }] of columns.entries()) {
    if (offset !== undefined && block === undefined) errors.push(notApplicable(`${path}.columns[${index}].offset`))
  }
  if (completes === undefined) return errors
  const isKnown = completes !== record.name && definition.records.some(({ name }) => name === completes)
  return isKnown ? errors : [...errors, { field: `${path}.completes`, code: 'unknown' }]
}

const lengthOf = (definition: LayoutDefinition): number => definition['record-length'] ?? maxRecordLength
const beyond = (definition: LayoutDefinition): Message => ({ key: 'layout-beyond', limit: lengthOf(definition) })

/** Each column has a heading of its own, and all records of a sheet have the same ones. */
function headingErrors({ definition, record, path }: Place): FieldError[] {
  const first = definition.records.find(({ sheet }) => sheet === record.sheet) ?? record
  const isSame = record.columns.every(({ heading }, index) => heading === first.columns[index]?.heading)
  if (!isSame || record.columns.length !== first.columns.length) {
    return [invalid(`${path}.columns`, { key: 'layout-other-headings', record: first.name })]
  }
  return keyErrors(record, path, foldHeading)
}

function keyErrors({ columns }: LayoutRecord, path: string, keyOf = (heading: string) => heading): FieldError[] {
  const seen = new Set<string>()
  return columns.flatMap(({ heading }, index): FieldError[] => {
    const field = `${path}.columns[${index}].heading`
    if (heading === undefined) return [{ field, code: 'missing' }]
    const key = keyOf(heading)
    if (seen.has(key)) return [{ field, code: 'repeated' }]
    seen.add(key)
    return []
  })
}

function overlapErrors({ definition, record, path }: Place): FieldError[] {
  const taken = new Map<number, string>()
  return record.columns.flatMap((column, index): FieldError[] => {
    const { at = 1, length = 1 } = column
    if (at + length - 1 > lengthOf(definition)) return [invalid(`${path}.columns[${index}].length`, beyond(definition))]
    let other: string | undefined
    for (let position = at; position < at + length; position += 1) {
      other ??= taken.get(position)
      taken.set(position, columnName(column, index))
    }
    return other === undefined
      ? []
      : [invalid(`${path}.columns[${index}].at`, { key: 'layout-overlap', column: other })]
  })
}

const contents = { written: ['literal', 'source', 'total'], read: ['target', 'drop'] } as const
const writtenOnly = ['literal', 'source', 'total', 'pad', 'align', 'overflow'] as const
const readOnly = ['target', 'drop', 'sign'] as const

function columnErrors(column: LayoutColumn, place: Place): FieldError[] {
  const { definition, isRead, path } = place
  const errors = (isRead ? writtenOnly : readOnly)
    .filter((member) => member in column)
    .map((member) => notApplicable(`${path}.${member}`))
  const names = isRead ? contents.read : contents.written
  if (names.filter((name) => name in column).length !== 1) {
    errors.push(invalid(path, { key: 'layout-one-of', names }))
  }
  if (definition.format === 'fixed-width') {
    for (const member of ['at', 'length'] as const) {
      if (!(member in column)) errors.push({ field: `${path}.${member}`, code: 'missing' })
    }
  } else if ('at' in column) errors.push(notApplicable(`${path}.at`))
  const isFilled = column.literal !== '' && column.drop !== true
  if (isFilled && namesHealthData(column.heading ?? '')) {
    errors.push(invalid(`${path}.heading`, { key: 'layout-health-data' }))
  }
  return [...errors, ...textErrors(column, place), ...totalErrors(column, place), ...fieldErrors(column, place)]
}

/** The texts of the layout itself, which are in the file as they are. */
function textErrors(
  { literal = '', map = {}, length }: LayoutColumn,
  { definition, isRead, path }: Place,
): FieldError[] {
  if (isRead) return []
  const errors: FieldError[] = []
  for (const [member, text] of [
    ['literal', literal],
    ...Object.entries(map).map(([value, code]) => [`map.${value}`, code]),
  ]) {
    const field = `${path}.${member}`
    if (!isRepresentable(text ?? '', encodingOf(definition)))
      errors.push(invalid(field, { key: 'layout-not-representable' }))
    else if (length !== undefined && !hasAtMostCharacters(text ?? '', length)) {
      errors.push(invalid(field, { key: 'max-characters', limit: length }))
    }
  }
  return errors
}

function totalErrors({ total }: LayoutColumn, { definition, path }: Place): FieldError[] {
  const counted = definition.records.map(({ name }) => `count:${name}`)
  const known = ['lines', 'position', ...counted]
  return total === undefined || known.includes(total)
    ? []
    : [invalid(`${path}.total`, { key: 'one-of', values: known })]
}

/** The field of that name; null where there is none, also for names such as `constructor`. */
export function fieldOf(fields: Readonly<Record<string, FieldOfLayout>>, name: string): FieldOfLayout | null {
  return Object.hasOwn(fields, name) ? (fields[name] ?? null) : null
}

function fieldErrors(column: LayoutColumn, { record, path }: Place): FieldError[] {
  const { source, target, format, map, sign } = column
  const name = source ?? target
  if (name === undefined) {
    return (['format', 'map', 'required', 'sign'] as const)
      .filter((member) => member in column)
      .map((member) => notApplicable(`${path}.${member}`))
  }
  const field = source === undefined ? fieldOf(TARGETS, name) : fieldOf(SOURCES, name)
  if (field === null) return [{ field: `${path}.${source === undefined ? 'target' : 'source'}`, code: 'unknown' }]
  const errors: FieldError[] = []
  if (source !== undefined && emitOf(record) !== 'each' && !isOfHeader(source)) {
    errors.push(invalid(`${path}.source`, { key: 'layout-header-source' }))
  }
  if (map !== undefined) errors.push(...mapErrors(column, field, path))
  else if (field.type === 'code' && format !== undefined && !isOfType(field, format)) {
    errors.push(invalid(`${path}.format`, { key: 'layout-format', field: name }))
  }
  if (map === undefined && format !== undefined && field.type !== 'code' && !isOfType(field, format)) {
    errors.push(invalid(`${path}.format`, { key: 'layout-format', field: name }))
  }
  if (sign !== undefined) {
    if (field.type !== 'money') errors.push(notApplicable(`${path}.sign`))
    else if (!record.columns.some((other) => other !== column && other.heading === sign.column)) {
      errors.push({ field: `${path}.sign.column`, code: 'unknown' })
    }
  }
  return errors
}

function isOfType({ type }: FieldOfLayout, format: ColumnFormat): boolean {
  const kind = format.split(':')[0]
  return type === 'date' || type === 'money' ? kind === type : kind !== 'date' && kind !== 'money'
}

/** A map has the values of a closed set, or of a text whatever occurs; it says all of how the value is written. */
function mapErrors({ map = {}, format, target }: LayoutColumn, field: FieldOfLayout, path: string): FieldError[] {
  if (field.type === 'date' || field.type === 'money') return [notApplicable(`${path}.map`)]
  if (format !== undefined) return [notApplicable(`${path}.format`)]
  const { values } = field
  if (values === undefined) return []
  return Object.entries(map).flatMap(([from, to]) => {
    const value = target === undefined ? from : to
    return value === '' || values.includes(value) ? [] : [invalid(`${path}.map.${from}`, { key: 'one-of', values })]
  })
}
