import { styleText } from 'node:util'
import { pino } from 'pino'

type Color = 'red' | 'yellow' | 'dim'

/**
 * A JSON log line as short text for a terminal: local time, the level from `warn` on, the request or the message, the other fields. Only
 * `error` and `fatal` have their stack frames, a line each.
 */
export function textLine(json: string): string {
  const { level, time, msg, err = {}, ...fields } = JSON.parse(json) as Line
  const { frames = [], ...error } = err
  const clock = color('dim', new Date(time).toTimeString().slice(0, 8))
  const label = level < 40 ? [] : [color(level < 50 ? 'yellow' : 'red', pino.levels.labels[level] ?? '')]
  const words =
    'method' in fields ? [requestText(fields as unknown as Request)] : [msg, ...pairs(fields), ...pairs(error)]
  const stack = level < 50 ? [] : frames.map((frame) => `\n    ${frame}`)
  return `${[clock, ...label, ...words].join(' ')}${stack.join('')}\n`
}

interface Line extends Record<string, unknown> {
  readonly level: number
  readonly time: string
  readonly msg: string
  readonly err?: { readonly frames?: readonly string[] }
}

interface Request {
  readonly 'request-trace-id': string
  readonly method: string
  /** The template of the route: a path holds tax ids. */
  readonly route: string
  readonly status: number
  readonly ms: number
}

/** The id leads from a 5xx to the line of its error. */
function requestText({ 'request-trace-id': id, method, route, status, ms }: Request): string {
  const shown = status < 400 ? String(status) : color(status < 500 ? 'yellow' : 'red', String(status))
  const text = `${method} ${route} ${shown} ${Math.round(ms)} ms`
  return status < 500 ? text : `${text} request-trace-id=${id}`
}

function pairs(fields: Record<string, unknown>): string[] {
  return Object.entries(fields).map(([name, value]) => {
    const isWord = typeof value === 'string' && /^[\w.:/-]+$/.test(value)
    return `${name}=${isWord ? value : JSON.stringify(value)}`
  })
}

/** No color where standard error is no terminal, or with NO_COLOR. */
function color(name: Color, text: string): string {
  return styleText(name, text, { stream: process.stderr })
}
