// What the Dockerfile says, and an installation made of it without Docker.
import { readFileSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { join, matchesGlob, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Copy, DockerfileParser, type Env, type Instruction } from 'dockerfile-ast'

export const root = fileURLToPath(new URL('../../', import.meta.url))
export const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** The instructions of each stage, its FROM first. */
export const stages = DockerfileParser.parse(read('Dockerfile'))
  .getInstructions()
  .reduce<Instruction[][]>((all, one) => {
    if (one.getKeyword() === 'FROM') all.push([])
    all.at(-1)?.push(one)
    return all
  }, [])
export const [packagesStage = [], pagesStage = [], finalStage = []] = stages

export function instructions(stage: readonly Instruction[], keyword: string): Instruction[] {
  return stage.filter((one) => one.getKeyword() === keyword)
}

/** The words of an instruction in the exec form, `["a", "b"]`; none in the shell form. */
export function execWords(instruction: Instruction | undefined): string[] {
  const list = /\["[^]*"\]$/.exec(instruction?.getRawArgumentsContent() ?? '')
  return list === null ? [] : (JSON.parse(list[0]) as string[])
}

/** The paths of the repository that a stage copies. */
export function copiedPaths(stage: readonly Instruction[]): string[] {
  return (instructions(stage, 'COPY') as Copy[])
    .filter((copy) => copy.getFromFlag() === null)
    .flatMap((copy) => copy.getArguments().slice(0, -1))
    .map((argument) => argument.getValue().replace(/\/$/, ''))
}

/** The environment of the image. */
export function imageVariables(): Record<string, string> {
  const properties = (instructions(finalStage, 'ENV') as Env[]).flatMap((env) => env.getProperties())
  return Object.fromEntries(properties.map((property) => [property.getName(), property.getValue() ?? '']))
}

const ignoreLines = read('.dockerignore')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))

/** Whether the build context has a path: `.dockerignore` excludes all, includes some again, and excludes parts of those. */
export function isInContext(path: string): boolean {
  return ignoreLines.reduce((included, line) => {
    const pattern = line.replace(/^!/, '')
    // A glob of Node matches no name that begins with a dot, one of Docker does.
    const isBelow = pattern === '*' || path === pattern || path.startsWith(`${pattern}/`)
    const isMatch = isBelow || matchesGlob(path, pattern) || matchesGlob(path, `${pattern}/**`)
    return isMatch ? line.startsWith('!') : included
  }, true)
}

/** Copies what the stage copies into the folder. */
export async function copyContext(stage: readonly Instruction[], folder: string): Promise<void> {
  for (const path of copiedPaths(stage)) {
    await cp(join(root, path), join(folder, path), {
      recursive: true,
      filter: (source) => isInContext(relative(root, source)),
    })
  }
}

interface LockEntry {
  readonly dev?: true
  readonly optional?: true
  readonly devOptional?: true
  readonly link?: true
  readonly resolved?: string
}

/** The entries of package-lock.json that an installation without `dev` and `optional` has. */
export function productionEntries(): [path: string, entry: LockEntry][] {
  const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, LockEntry> }
  // Workspaces count only where the stage copies their package.json.
  const isCopied = ({ link, resolved = '' }: LockEntry) =>
    !link || copiedPaths(packagesStage).includes(`${resolved}/package.json`)
  return Object.entries(packages).filter(
    ([path, entry]) =>
      path.includes('node_modules/') && !entry.dev && !entry.optional && !entry.devOptional && isCopied(entry),
  )
}
