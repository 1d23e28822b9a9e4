/*
 * `npm run build -w sdk`: the package that is published, in dist: JavaScript, types, README and a package.json of its own, and
 * `vigencia-client.tgz`, which npm installs and the service serves.
 */
import { execFileSync } from 'node:child_process'
import { cp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

const folder = new URL('./', import.meta.url)
const tsc = fileURLToPath(new URL('../node_modules/typescript/bin/tsc', folder))

/** @param target the folder that it is written to, replaced. */
export async function build(target = fileURLToPath(new URL('dist', folder))): Promise<void> {
  await rm(target, { recursive: true, force: true })
  execFileSync(process.execPath, [tsc, '-p', fileURLToPath(folder), '--outDir', target], { stdio: 'inherit' })
  // In the repository `exports` are the sources, which Node 24 runs as they are.
  const manifest = JSON.parse(await readFile(new URL('package.json', folder), 'utf8')) as Record<string, unknown>
  const exported = (name: string) => ({ types: `./${name}.d.ts`, default: `./${name}.js` })
  const exports = { '.': exported('index'), './operator': exported('operator') }
  // Undefined properties are left out.
  const published = { ...manifest, exports, private: undefined, scripts: undefined, devDependencies: undefined }
  await writeFile(`${target}/package.json`, `${JSON.stringify(published, null, 2)}\n`)
  for (const name of ['README.md', 'CHANGELOG.md']) await cp(new URL(name, folder), `${target}/${name}`)
  await cp(new URL('../LICENSE', folder), `${target}/LICENSE`)
}

/** Packs what `build` wrote into `vigencia-client.tgz`, in this folder. */
async function pack(source: string): Promise<void> {
  const target = fileURLToPath(folder)
  const options = ['--pack-destination', target, '--json', '--loglevel', 'error']
  const printed = execFileSync('npm', ['pack', source, ...options], { encoding: 'utf8' })
  const [{ filename }] = JSON.parse(printed) as [{ filename: string }]
  await rename(`${target}${filename}`, `${target}vigencia-client.tgz`)
}

if (import.meta.main) {
  const dist = fileURLToPath(new URL('dist', folder))
  await build(dist)
  await pack(dist)
}
