import { InvalidArgumentError } from 'commander'
import { productNameKey } from '#kernel/product-name.ts'
import type { Call, OperationId } from '@vigencia/client'
import type { ApiClient } from './api-client.ts'
import type { Values } from './command-builder.ts'
import { CommandError } from './errors.ts'
import { say } from './language.ts'
import { cellOf, type Columns, printItems, printMessage, valueAt } from './terminal.ts'

/** The options of a list. */
export const listParameters = {
  '--limit <n>': { description: 'at most so many items', parse: readLimit },
  '--columns <fields>':
    'the fields to print, by their names in the API, separated by commas; `profile.name` is a field of an object',
  '--where <field=value...>': 'only items whose field has this value, without regard to case and accents',
} as const

export type ListValues = Values<typeof listParameters>

function readLimit(text: string): number | undefined {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('A whole number from 1.')
  return Number(text)
}

/** The items of a list that `--where` selects, up to `--limit`. */
export async function readList(
  client: ApiClient,
  id: OperationId,
  { query, ...call }: Call,
  { limit, where = [] }: ListValues,
): Promise<object[]> {
  const conditions = where.map(readCondition)
  // With conditions a page of the limit's size may hold no match.
  const size = limit !== undefined && conditions.length === 0 ? Math.min(limit, maxPageSize) : maxPageSize
  const found: object[] = []
  const items = client.sdk.operations.list(id, { ...call, query: { 'items-per-page': size, ...query } })
  for await (const item of items as AsyncIterable<object>) {
    if (conditions.every(({ field, key }) => productNameKey(cellOf(item, field)) === key)) found.push(item)
    if (found.length === limit) break
  }
  return found
}

const maxPageSize = 500

function readCondition(text: string): { field: string; key: string } {
  const at = text.indexOf('=')
  if (at > 0) return { field: text.slice(0, at), key: productNameKey(text.slice(at + 1)) }
  throw new CommandError('usage', say`--where ${text} has no value.`, say`Write it as --where field=value.`)
}

/** Prints the items with the default columns, or with those of `--columns`. */
export function printList(
  items: readonly object[],
  defaults: Columns,
  { columns, json }: Pick<ListValues, 'columns' | 'json'>,
): void {
  const [first] = items
  if (first === undefined && !json) printMessage(say`Nothing found.`)
  if (columns === undefined) return printItems(items, defaults, json)
  const fields = columns.split(',').map((part) => part.trim())
  const unknown = fields.find(
    (field) => first !== undefined && items.every((item) => valueAt(item, field) === undefined),
  )
  if (unknown !== undefined) {
    const known = Object.keys(first ?? {}).join(', ')
    throw new CommandError('usage', say`The items have no field ${unknown}.`, say`Fields: ${known}`)
  }
  const pick = (item: object) => Object.fromEntries(fields.map((field) => [field, valueAt(item, field) ?? null]))
  const selected = Object.fromEntries(fields.map((field) => [field.toUpperCase(), field]))
  printItems(json ? items.map(pick) : items, selected, json)
}
