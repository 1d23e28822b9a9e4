/** Figures of one run as ratios: absolute ones cannot be compared on a noisy machine. */

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const half = sorted.length / 2
  return ((sorted[Math.ceil(half) - 1] ?? Number.NaN) + (sorted[Math.floor(half)] ?? Number.NaN)) / 2
}

/** By nearest rank. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = Float64Array.from(values).sort()
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)] ?? Number.NaN
}

/** The ratio of each round's pair, in the middle: both of a pair had the same neighbours on the machine. */
export function medianRatio(over: readonly number[], under: readonly number[]): number {
  return median(over.map((value, round) => value / (under[round] ?? Number.NaN)))
}

export const ms = (value: number) => `${value.toFixed(value < 10 ? 2 : 1)} ms`
export const perSecond = (value: number) => `${Math.round(value).toLocaleString('en')}/s`
export const times = (value: number) => `${value.toFixed(2)} x`

/** `met`, or `MISSED`, with what was wanted. */
export function verdict(value: number, relation: 'at least' | 'at most', wanted: number, unit = ''): string {
  const met = relation === 'at least' ? value >= wanted : value <= wanted
  return `${met ? 'met' : 'MISSED'} (${relation} ${wanted}${unit})`
}

/** A table on standard output; the first row is its head. */
export function printTable(title: string, rows: readonly (readonly string[])[]): void {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)))
  const line = (row: readonly string[]) => `| ${widths.map((width, n) => (row[n] ?? '').padEnd(width)).join(' | ')} |`
  const [head = [], ...rest] = rows
  console.log(`\n${title}\n`)
  console.log(line(head))
  console.log(`|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`)
  for (const row of rest) console.log(line(row))
}
