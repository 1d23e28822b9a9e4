import type { Screen, CommandContext } from './context.ts'

/** One line of data to whoever reads the output. */
export function print(context: CommandContext, text: string): void {
  context.stdout.write(`${text}\n`)
}

/** One line to the person, beside the data. */
export function tell(context: CommandContext, text: string): void {
  context.stderr.write(`${text}\n`)
}

/** The answer as one JSON document on one line. */
export function printJson(context: CommandContext, value: unknown): void {
  print(context, JSON.stringify(value))
}

/** Rows under their headings: aligned in a terminal, separated by tabs in a pipe. */
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

/** What the service or a file sent must not move the cursor or break the line. */
export function oneLine(text: string): string {
  // oxlint-disable-next-line no-control-regex -- those are what is taken out
  return text.replaceAll(/[\u0000-\u001f\u007f-\u009f]+/g, ' ')
}

function width(text: string): number {
  return Array.from(text.normalize('NFC')).length
}

const colours = { red: 31, green: 32, yellow: 33 } as const

/** The text in a colour, where the screen shows colours and NO_COLOR (no-color.org) is not set. */
export function coloured(context: CommandContext, screen: Screen, colour: keyof typeof colours, text: string): string {
  const { NO_COLOR, TERM } = context.environment
  if (screen.isTTY !== true || TERM === 'dumb' || (NO_COLOR ?? '') !== '') return text
  return `\u001b[${colours[colour]}m${text}\u001b[39m`
}

export interface Progress {
  /** `total` null: not known. */
  show(done: number, total: number | null, note: string): void
  /** Leaves the screen with the cursor at the start of a line. */
  end(): void
}

/** How far something is: a bar in a terminal, a line for each change in a pipe. */
export function openProgress(context: CommandContext, screen: Screen): Progress {
  return screen.isTTY === true && context.environment['TERM'] !== 'dumb' ? bar(screen) : lines(screen)
}

/** The bar, for what is over soon: in a pipe nothing. */
export function openBar(context: CommandContext, screen: Screen): Progress {
  return screen.isTTY === true ? openProgress(context, screen) : { show() {}, end() {} }
}

function lines(screen: Screen): Progress {
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

function bar(screen: Screen): Progress {
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
