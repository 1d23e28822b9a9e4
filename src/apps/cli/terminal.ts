import { exitCodes } from './errors.ts'
import { say } from './language.ts'

export type Screen = NodeJS.WriteStream

/** Prints one line of the result, to standard output unless another stream is named. */
export function print(text: string, screen: Screen = process.stdout): void {
  screen.write(`${text}\n`)
}

/** Prints one line to standard error. */
export function printMessage(text: string): void {
  print(text, process.stderr)
}

/** Says on standard error that the command waits before it repeats a call. */
export function printWait(seconds: number, status: number | null): void {
  const why = status === 429 ? say`the server limits how many calls it takes` : say`the service is busy`
  printMessage(say`Waiting ${Math.ceil(seconds)} s: ${why} (${status}).`)
}

/** Prints the result as one JSON document on one line. */
export function printJson(value: unknown): void {
  print(JSON.stringify(value))
}

/** The columns of a table, by heading: the name of a field of the items, or a function of an item. */
export type Columns = Readonly<Record<string, string | ((item: never) => string)>>

/**
 * Prints the items as a table: aligned in a terminal, separated by tabs in a pipe.
 * @param json to print them as `{ "result": items }` instead.
 */
export function printItems(items: readonly object[], columns: Columns, json?: true): void {
  if (json) return printJson({ result: items })
  const headings = Object.keys(columns)
  const rows = items.map((item) => Object.values(columns).map((column) => cellOf(item, column)))
  const lines = [headings, ...rows].map((row) => row.map(oneLine))
  if (!process.stdout.isTTY) {
    for (const line of lines) print(line.join('\t'))
    return
  }
  const widths = headings.map((_, column) => Math.max(...lines.map((line) => width(line[column] ?? ''))))
  for (const line of lines) {
    const cells = line.map((cell, column) => cell + ' '.repeat(Math.max(0, (widths[column] ?? 0) - width(cell))))
    print(cells.join('  ').trimEnd())
  }
}

/** The text of a field, of a list its elements, or what the function returns. */
export function cellOf(item: object, column: Columns[string]): string {
  return typeof column === 'function' ? column(item as never) : textOf(valueAt(item, column))
}

/** The value of a field, of an object in the item by a dotted name; undefined when there is none. */
export function valueAt(item: object, field: string): unknown {
  return field
    .split('.')
    .reduce<unknown>((value, name) => (value as Readonly<Record<string, unknown>> | null | undefined)?.[name], item)
}

const withFraction = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\.\d{1,9}Z$/

/** Timestamps to the second: JSON has all digits. */
function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) {
    const texts = value.map(textOf)
    return texts.join(texts.some((text) => text.includes(' ')) ? ', ' : ' ')
  }
  return typeof value === 'string' ? value.replace(withFraction, '$1Z') : JSON.stringify(value)
}

/** Prints the fields of an object, one a line; those of objects and lists in it are indented. */
export function printObject(item: object, indent = ''): void {
  const entries = Object.entries(item).filter(([, value]) => value !== undefined)
  const longest = Math.max(0, ...entries.map(([name]) => name.length))
  for (const [name, value] of entries as [string, unknown][]) {
    const items = Array.isArray(value) ? value : [value]
    if (!items.some((item) => typeof item === 'object' && item !== null)) {
      print(`${indent}${name.padEnd(longest)}  ${oneLine(textOf(value))}`.trimEnd())
      continue
    }
    print(`${indent}${name}`)
    for (const [index, item] of (items as object[]).entries()) {
      if (index > 0 && Array.isArray(value)) print('')
      printObject(item, `${indent}  `)
    }
  }
}

/** The text without control characters: text of a service or a file must not move the cursor or break the line. */
export function oneLine(text: string): string {
  // oxlint-disable-next-line no-control-regex -- removes them
  return text.replaceAll(/[\u0000-\u001f\u007f-\u009f]+/g, ' ')
}

function width(text: string): number {
  return Array.from(text.normalize('NFC')).length
}

export interface Progress {
  /** @param total null: not known. */
  readonly show: (done: number, total: number | null, note: string) => void
  /** Moves the cursor to the start of a line. */
  readonly end: () => void
}

const cells = 30

/** Shows progress: a bar in a terminal, a line for each change in a pipe. */
export function openProgress(screen: Screen): Progress {
  const isBar = screen.isTTY && process.env['TERM'] !== 'dumb'
  let last = ''
  return {
    show(done, total, note) {
      const text = `${done}${total === null ? '' : `/${total}`} ${note}`
      if (text === last) return
      last = text
      if (!isBar) return print(text, screen)
      const filled = total ? Math.min(cells, Math.floor((done / total) * cells)) : 0
      const gauge = total === null ? '' : `[${'='.repeat(filled).padEnd(cells)}] `
      screen.write(`\r\u001b[K${`${gauge}${text}`.slice(0, Math.max(20, (screen.columns || 80) - 1))}`)
    },
    end() {
      if (isBar && last !== '') screen.write('\n')
      last = ''
    },
  }
}

let interrupted: AbortController | null = null

/** Aborted by SIGINT and SIGTERM, from the first call on: a command that calls it must end by itself. */
export function interruption(): AbortSignal {
  if (interrupted !== null) return interrupted.signal
  const controller = (interrupted = new AbortController())
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      // The second signal ends the process immediately.
      if (controller.signal.aborted) process.exit(exitCodes.interrupted.code)
      controller.abort()
    })
  }
  return controller.signal
}
