/*
 * `npm run build:cli`: the package of the command line, in dist, and `vigencia-cli.tgz`, which npm installs and the service serves. It has the
 * commands that call a service, with all that they need, and depends on no other package.
 */
import { execFileSync } from 'node:child_process'
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type OutputBundle, rolldown } from 'rolldown'
import { describedCommands } from '../src/apps/cli/openapi.ts'
import { version } from '../src/platform/core/version.ts'

const folder = fileURLToPath(new URL('./', import.meta.url))
const repository = fileURLToPath(new URL('../', import.meta.url))

/** Modules that read a file of the repository, with what they would find there. */
const fixed: Readonly<Record<string, () => string>> = {
  'src/apps/cli/openapi.ts': () =>
    `const commands = ${JSON.stringify(describedCommands())}\nexport const describedCommands = () => commands`,
  'src/platform/core/version.ts': () => `export const version = ${JSON.stringify(version)}`,
}

const start = `#!/usr/bin/env node
if (Number.parseInt(process.versions.node) < 22) {
  console.error('vigencia needs Node.js 22.12 or later; this is ' + process.version)
  process.exit(2)
}
await import('./main.js')
`

/** @param target the folder that it is written to, replaced. */
export async function build(target: string): Promise<void> {
  await rm(target, { recursive: true, force: true })
  await mkdir(target, { recursive: true })
  const bundle = await rolldown({
    input: join(folder, 'main.ts'),
    cwd: repository,
    platform: 'node',
    logLevel: 'silent',
    // The other form of a package may load its parts by `require`.
    resolve: { mainFields: ['module', 'main'] },
    plugins: [{ name: 'fixed', load: (id) => fixed[id.replace(repository, '')]?.() ?? null }],
  })
  const { output } = await bundle.write({ dir: target, format: 'esm', minify: true })
  await bundle.close()
  await writeFile(join(target, 'vigencia.js'), start, { mode: 0o755 })
  const { private: _private, ...manifest } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
  await writeFile(join(target, 'package.json'), `${JSON.stringify({ ...manifest, version }, null, 2)}\n`)
  await cp(join(folder, 'README.md'), join(target, 'README.md'))
  await cp(join(repository, 'LICENSE'), join(target, 'LICENSE'))
  await writeFile(join(target, 'THIRD-PARTY-LICENSES'), await licensesOf(output))
}

/** The licenses of the packages that are in it. */
async function licensesOf(output: readonly OutputBundle[string][]): Promise<string> {
  const modules = output.flatMap((one) => (one.type === 'chunk' ? Object.keys(one.modules) : []))
  const packages = modules.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? [])
  const texts = [...new Set(packages)].toSorted().map(async (path) => {
    const names = (await readdir(path)).filter((name) => /^licen[cs]e/i.test(name))
    const own = await Promise.all(names.map((name) => readFile(join(path, name), 'utf8')))
    const { name, license } = JSON.parse(await readFile(join(path, 'package.json'), 'utf8'))
    return [`${name} (${license})`, ...own].join('\n\n')
  })
  return `${(await Promise.all(texts)).join('\n\n')}\n`
}

/** Packs what `build` wrote into `vigencia-cli.tgz`. @param target a folder. */
export async function pack(source: string, target: string): Promise<void> {
  const options = ['--pack-destination', target, '--json', '--loglevel', 'error']
  const printed = execFileSync('npm', ['pack', source, ...options], { encoding: 'utf8' })
  const [{ filename }] = JSON.parse(printed) as [{ filename: string }]
  await rename(join(target, filename), join(target, 'vigencia-cli.tgz'))
}

if (import.meta.main) {
  const dist = join(folder, 'dist')
  await build(dist)
  await pack(dist, folder)
}
