/*
 * The samples of bench/national-load.ts over time, as an SVG: `node bench/national-plot.ts FILE.jsonl FILE.svg`. The
 * colours, with that of the ground, follow the preference for a light or a dark page.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import type { Sample } from './national-samples.ts'

interface Line {
  readonly name: string
  /** null: no value at that time. */
  readonly of: (sample: Sample) => number | null
}

interface Panel {
  readonly title: string
  readonly isLogarithmic?: boolean
  readonly lines: readonly Line[]
}

const width = 760
const left = 62
const right = 130
const top = 34
const panelHeight = 120
const panelGap = 46
const plotWidth = width - left - right
const mebibytesOfGibibyte = 1024

const latencies = (group: 'reads' | 'movements', title: string): Panel => ({
  title,
  isLogarithmic: true,
  lines: [
    { name: 'p99.9', of: ({ groups }) => groups[group].p999 },
    { name: 'p99', of: ({ groups }) => groups[group].p99 },
    { name: 'p50', of: ({ groups }) => groups[group].p50 },
  ],
})

const memoryOf =
  (prefix: string) =>
  ({ mebibytes }: Sample): number =>
    Object.entries(mebibytes).reduce((sum, [name, size]) => sum + (name.startsWith(prefix) ? (size ?? 0) : 0), 0)

const panels: readonly Panel[] = [
  latencies('reads', 'Reads: latency in ms'),
  latencies('movements', 'Movements: latency in ms'),
  {
    title: 'Oldest accepted request and oldest due delivery that wait, in s',
    lines: [
      { name: 'request', of: ({ backlog }) => backlog.workAge },
      { name: 'delivery', of: ({ backlog }) => backlog.deliveryAge },
    ],
  },
  {
    title: 'Memory in MiB',
    lines: [
      { name: 'PostgreSQL', of: memoryOf('postgres') },
      { name: 'api', of: memoryOf('api') },
      { name: 'worker', of: memoryOf('worker') },
    ],
  },
  {
    title: 'Size of the database in GiB',
    lines: [{ name: 'database', of: ({ databaseBytes }) => databaseBytes / mebibytesOfGibibyte ** 3 }],
  },
]

const style = `.page { fill: #ffffff } text { font: 12px sans-serif; fill: #24292f } .title { font-weight: 600 } .grid { stroke: #8c959f; stroke-opacity: .35 }
.line { fill: none; stroke-width: 1.6 } .c0 { stroke: #b3261e } .c1 { stroke: #0550ae } .c2 { stroke: #1a7f37 }
.d1 { stroke-dasharray: 6 3 } .d2 { stroke-dasharray: 2 3 }
@media (prefers-color-scheme: dark) { .page { fill: #0d1117 } text { fill: #e6edf3 } .c0 { stroke: #ff7b72 } .c1 { stroke: #79c0ff } .c2 { stroke: #56d364 } }`

/** An SVG document of the samples. */
export function plotOf(samples: readonly Sample[]): string {
  const height = top + panels.length * (panelHeight + panelGap)
  const last = samples.at(-1)?.at ?? 1
  const worst = (group: 'reads' | 'movements') =>
    Math.max(0, ...samples.map(({ groups }) => groups[group].p99 ?? 0)).toFixed(0)
  const description =
    `${panels.map(({ title }) => title).join('; ')}, over ${Math.round(last)} seconds. ` +
    `The largest p99 of an interval is ${worst('reads')} ms for reads and ${worst('movements')} ms for movements.`
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="t d">
<title id="t">National load over time</title>
<desc id="d">${description}</desc>
<style>${style}</style>
<rect class="page" width="100%" height="100%"/>
${panels.map((panel, n) => panelOf(panel, samples, { y: top + n * (panelHeight + panelGap), last })).join('\n')}
</svg>
`
}

function panelOf(
  { title, lines, isLogarithmic }: Panel,
  samples: readonly Sample[],
  { y, last }: { y: number; last: number },
) {
  const values = lines.flatMap(({ of }) => samples.map(of)).filter((value) => value !== null)
  const ticks = isLogarithmic === true ? decades(values) : linearTicks(Math.max(...values, 0))
  const scale = isLogarithmic === true ? Math.log10 : (value: number) => value
  const [low, high] = [scale(ticks[0] ?? 0), scale(ticks.at(-1) ?? 1)]
  const lowest = ticks[0] ?? 0
  const yOf = (value: number) => y + panelHeight * (1 - (scale(Math.max(lowest, value)) - low) / (high - low))
  const xOf = (at: number) => left + (plotWidth * at) / last
  const grid = ticks.map(
    (tick) =>
      `<line class="grid" x1="${left}" x2="${left + plotWidth}" y1="${yOf(tick).toFixed(1)}" y2="${yOf(tick).toFixed(1)}"/>` +
      `<text x="${left - 6}" y="${(yOf(tick) + 4).toFixed(1)}" text-anchor="end">${Number(tick.toPrecision(6))}</text>`,
  )
  const minutes = linearTicks(last / 60).filter((minute) => minute * 60 <= last)
  const times = minutes.map(
    (minute) =>
      `<text x="${xOf(minute * 60).toFixed(1)}" y="${y + panelHeight + 16}" text-anchor="middle">${Number(minute.toPrecision(3))} min</text>`,
  )
  const drawn = lines.map(({ name, of }, n) => {
    const points = samples.flatMap((sample) => {
      const value = of(sample)
      return value === null ? [] : [`${xOf(sample.at).toFixed(1)},${yOf(value).toFixed(1)}`]
    })
    const legend = y + 12 + n * 20
    return (
      `<polyline class="line c${n} d${n}" points="${points.join(' ')}"/>` +
      `<line class="line c${n} d${n}" x1="${width - right + 10}" x2="${width - right + 34}" y1="${legend}" y2="${legend}"/>` +
      `<text x="${width - right + 40}" y="${legend + 4}">${name}</text>`
    )
  })
  return `<g><text class="title" x="${left}" y="${y - 10}">${title}</text>${[...grid, ...times, ...drawn].join('\n')}</g>`
}

/** Powers of ten around the values, at least one decade. */
function decades(values: readonly number[]): number[] {
  const positive = values.filter((value) => value > 0)
  const first = Math.floor(Math.log10(Math.min(...positive, 1_000)))
  const last = Math.max(first + 1, Math.ceil(Math.log10(Math.max(...positive, 1))))
  return Array.from({ length: last - first + 1 }, (_, n) => 10 ** (first + n))
}

/** From 0 to a round number that is not below the largest value, in four or five steps. */
function linearTicks(largest: number): number[] {
  const rough = (largest || 1) / 4
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = power * ([1, 2, 5, 10].find((one) => one * power >= rough) ?? 10)
  return Array.from({ length: Math.ceil((largest || 1) / step) + 1 }, (_, n) => n * step)
}

const [source, target] = process.argv.slice(2)
if (import.meta.main && source !== undefined && target !== undefined) {
  const lines = readFileSync(source, 'utf8').trim().split('\n')
  const samples = lines.map((line) => JSON.parse(line) as Sample)
  // The last line has the totals.
  writeFileSync(target, plotOf(samples.filter(({ isLast }) => !isLast)))
}
