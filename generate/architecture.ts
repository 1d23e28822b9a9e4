/* `npm run docs`: the diagram of the folders of `src` in docs/explanation/architecture.md, from the imports that dependency-cruiser finds. */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export const architectureFile = new URL('../docs/explanation/architecture.md', import.meta.url)

interface Module {
  readonly source: string
  readonly dependencies: readonly { readonly resolved: string }[]
}

/** The folders that each folder of `src` imports from. */
function imports(): Map<string, Set<string>> {
  const root = fileURLToPath(new URL('../', import.meta.url))
  const command = [`${root}node_modules/dependency-cruiser/bin/dependency-cruiser.mjs`, 'src']
  const format = ['--include-only', '^src/', '--collapse', '^src/[^/]+', '--output-type', 'json']
  const output = execFileSync(process.execPath, [...command, ...format], { cwd: root, maxBuffer: 2 ** 28 })
  const { modules } = JSON.parse(output.toString()) as { modules: Module[] }
  const nameOf = (path: string) => path.replace('src/', '')
  return new Map(
    modules.map(({ source, dependencies }) => [
      nameOf(source),
      new Set(dependencies.map(({ resolved }) => nameOf(resolved)).filter((name) => name !== nameOf(source))),
    ]),
  )
}

/** The page with the current diagram. An arrow that follows from other arrows is left out. */
export function architectureText(): string {
  const direct = imports()
  const reaches = (from: string, to: string): boolean =>
    [...(direct.get(from) ?? [])].some((name) => name === to || reaches(name, to))
  const arrows = [...direct].flatMap(([from, targets]) =>
    [...targets]
      .filter((to) => ![...targets].some((other) => other !== to && reaches(other, to)))
      .map((to) => `  ${from} --> ${to}`),
  )
  const diagram = ['```mermaid', 'flowchart TD', ...arrows.toSorted(), '```'].join('\n')
  return readFileSync(architectureFile, 'utf8').replace(/```mermaid\n[^]*?```/, diagram)
}

if (import.meta.main) writeFileSync(architectureFile, architectureText())
