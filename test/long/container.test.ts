import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, globSync } from 'node:fs'
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Instruction } from 'dockerfile-ast'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import {
  pagesStage,
  copyContext,
  finalStage,
  instructions,
  packagesStage,
  productionEntries,
} from '../container/image.ts'
import { expectNoEmbeddedPostgres, expectService } from '../container/service.ts'
import { inheritedEnvironment } from '../environment.ts'
import { databaseOn, onServer } from '../world/engine.ts'

/* The stages of the Dockerfile one after the other, in a folder: with their `npm install`, which takes 30 CPU seconds. */

const database = `container_${randomBytes(6).toString('hex')}`
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vigencia-image-'))
  await onServer(inject('engineUrl'), `create database ${database} template vigencia_template`)
})

afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
  await onServer(inject('engineUrl'), `drop database if exists ${database} with (force)`)
})

/** Copies what the stage copies, and runs its commands: none of them needs the absence of what is copied after it. */
async function runStage(stage: readonly Instruction[], folder: string): Promise<void> {
  await mkdir(folder)
  await copyContext(stage, folder)
  const { PATH = '', HOME = '' } = inheritedEnvironment()
  // The registry and its certificates, as the machine has them.
  const registry = Object.entries(process.env).filter(([name]) => /^npm_config_|^NODE_EXTRA_CA_CERTS$/i.test(name))
  const env = {
    ...Object.fromEntries(registry),
    PATH: `${dirname(process.execPath)}:${PATH}`,
    HOME,
    npm_config_prefer_offline: 'true',
  }
  for (const run of instructions(stage, 'RUN')) {
    execFileSync('sh', ['-e', '-c', run.getRawArgumentsContent() ?? ''], { cwd: folder, env, stdio: 'pipe' })
  }
}

test('the stages of the Dockerfile make an installation that serves in production', async () => {
  const [app, built] = [join(folder, 'app'), join(folder, 'console')]
  await runStage(packagesStage, app)
  await runStage(pagesStage, built)
  // Exactly the production packages.
  const paths = productionEntries().map(([path]) => path)
  const installed = globSync('node_modules/{*,@*/*,**/node_modules/{*,@*/*}}/package.json', { cwd: app }).map(dirname)
  expect(installed.filter((path) => !paths.includes(path))).toEqual([])
  expect(paths.filter((path) => !existsSync(join(app, path)))).toEqual([])
  await copyContext(finalStage, app)
  for (const one of ['console/dist', 'site/dist']) await cp(join(built, one), join(app, one), { recursive: true })
  await expectNoEmbeddedPostgres(app, join(folder, 'no-data'))
  await expectService(app, join(folder, 'data'), databaseOn(inject('engineUrl'), database))
})
