import type { CommandContext, OutputStream } from './context.ts'

/** Prints one line of the result to standard output. */
export function print(context: CommandContext, text: string): void {
  context.stdout.write(`${text}\n`)
}

/** Prints one line to standard error. */
export function printMessage(context: CommandContext, text: string): void {
  context.stderr.write(`${text}\n`)
}

/** Prints the result as one JSON document on one line. */
export function printJson(context: CommandContext, value: unknown): void {
  print(context, JSON.stringify(value))
}

/** Prints rows under headings: aligned in a terminal, separated by tabs in a pipe. */
export function printTable(
  context: CommandContext,
  headings: readonly string[],
  rows: readonly (readonly string[])[],
): void {
  const lines = [headings, ...rows].map((row) => row.map(oneLine))
  if (context.stdout.isTTY !== true) {
    for (const line of lines) print(context, line.join('\t'))
    return
  }
  const widths = headings.map((_, column) => Math.max(...lines.map((line) => width(line[column] ?? ''))))
  for (const line of lines) {
    const cells = line.map((cell, column) => cell + ' '.repeat(Math.max(0, (widths[column] ?? 0) - width(cell))))
    print(context, cells.join('  ').trimEnd())
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

const colors = { red: 31, green: 32, yellow: 33 } as const

/** The text in a color, in a terminal with colors unless NO_COLOR (no-color.org) is set. */
export function colored(
  context: CommandContext,
  screen: OutputStream,
  color: keyof typeof colors,
  text: string,
): string {
  const { NO_COLOR, TERM } = context.environment
  if (screen.isTTY !== true || TERM === 'dumb' || (NO_COLOR ?? '') !== '') return text
  return `\u001b[${colors[color]}m${text}\u001b[39m`
}

export interface Progress {
  /** @param total null: not known. */
  show(done: number, total: number | null, note: string): void
  /** Moves the cursor to the start of a line. */
  end(): void
}

/** Shows progress: a bar in a terminal, a line for each change in a pipe. */
export function openProgress(context: CommandContext, screen: OutputStream): Progress {
  return screen.isTTY === true && context.environment['TERM'] !== 'dumb' ? bar(screen) : lines(screen)
}

/** Shows progress in a terminal only, for short operations. */
export function openBar(context: CommandContext, screen: OutputStream): Progress {
  return screen.isTTY === true ? openProgress(context, screen) : { show() {}, end() {} }
}

function lines(screen: OutputStream): Progress {
  let last = ''
  return {
    show(done, total, note) {
      const line = `${done}${total === null ? '' : `/${total}`} ${note}`
      if (line !== last) screen.write(`${line}\n`)
      last = line
    },
    end() {},
  }
}

const cells = 30

function bar(screen: OutputStream): Progress {
  let isDrawn = false
  return {
    show(done, total, note) {
      const filled = total === null || total === 0 ? 0 : Math.min(cells, Math.floor((done / total) * cells))
      const gauge = total === null ? '' : `[${'='.repeat(filled)}${' '.repeat(cells - filled)}] `
      const text = `${gauge}${done}${total === null ? '' : `/${total}`} ${note}`
      screen.write(`\r\u001b[K${text.slice(0, Math.max(20, (screen.columns || 80) - 1))}`)
      isDrawn = true
    },
    end() {
      if (isDrawn) screen.write('\n')
      isDrawn = false
    },
  }
}
