/* The diagram of the folders of `src` in docs/explanation/architecture.md, from the imports. */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const sources = fileURLToPath(new URL('../src/', import.meta.url))

/** The folders that each folder of `src` imports from, types included. */
function imports(): Map<string, Set<string>> {
  const direct = new Map<string, Set<string>>()
  for (const file of globSync('**/*.ts', { cwd: sources })) {
    const from = folderOf(file)
    const known = direct.get(from) ?? new Set()
    direct.set(from, known)
    for (const [, path = ''] of readFileSync(join(sources, file), 'utf8').matchAll(
      /(?:from|import) ?\(?'(\.[^']+)'/g,
    )) {
      const to = folderOf(join(dirname(file), path))
      if (to !== from && !to.startsWith('..')) known.add(to)
    }
  }
  return direct
}

/** The folder of `src`, or the file that stands in it by itself. */
const folderOf = (path: string) => (path.split('/')[0] ?? '').replace(/\.ts$/, '')

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
