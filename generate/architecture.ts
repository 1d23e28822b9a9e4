/* What docs/explanation/architecture.md and CONTRIBUTING.md say of the tree: from generate/districts.json, which has the districts in the order in which they may import each other, and from the imports. */
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import districts from './districts.json' with { type: 'json' }

const sources = fileURLToPath(new URL('../src/', import.meta.url))

/** The districts that each district imports from, types included. */
function imports(): Map<string, Set<string>> {
  const direct = new Map<string, Set<string>>(districts.map(({ name }) => [name, new Set()]))
  for (const file of globSync('*/**/*.ts', { cwd: sources })) {
    const from = file.slice(0, file.indexOf('/'))
    const text = readFileSync(sources + file, 'utf8')
    for (const [, to = ''] of text.matchAll(/(?:from|import) ?\(?'#([\w-]+)\//g)) direct.get(from)?.add(to)
  }
  return direct
}

/** The diagram, as Mermaid. An arrow that follows from other arrows is left out. */
export function importsDiagram(): string {
  const direct = imports()
  const reaches = (from: string, to: string): boolean =>
    [...(direct.get(from) ?? [])].some((name) => name === to || reaches(name, to))
  const arrows = [...direct].flatMap(([from, targets]) =>
    [...targets]
      .filter((to) => ![...targets].some((other) => other !== to && reaches(other, to)))
      .map((to) => `  ${from} --> ${to}`),
  )
  return ['```mermaid', 'flowchart TD', ...arrows.toSorted(), '```', ''].join('\n')
}

/** The districts from the last to the first, as a table. */
export function districtsTable(): string {
  const rows = districts.map(({ name, about, folders }) => {
    const listed = Object.keys(folders).map((folder) => `\`${folder}\``)
    return `| \`${name}\` | ${about} | ${listed.join(', ')} |`
  })
  return ['| District | Content | Folders |', '|---|---|---|', ...rows.toReversed(), ''].join('\n')
}

/** The map of the sources in CONTRIBUTING.md. */
export function sourcesMap(): string {
  const lines = districts.flatMap(({ name, about, folders }) => [
    `  ${`${name}/`.padEnd(23)}${about}`,
    ...Object.entries(folders).map(([folder, content]) => `    ${`${folder}/`.padEnd(21)}${content}`),
  ])
  return ['```text', 'src/', `  ${'main.ts'.padEnd(23)}the command line starts here`, ...lines, '```', ''].join('\n')
}

const page = fileURLToPath(new URL('../CONTRIBUTING.md', import.meta.url))
const map = /^```text\nsrc\/\n[^`]*(?:`[^`\n]+`[^`]*)*```\n/m

// `npm run map`
if (import.meta.main) writeFileSync(page, readFileSync(page, 'utf8').replace(map, sourcesMap()))
