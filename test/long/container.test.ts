import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, globSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { copyContext, finalStage, instructions, packagesStage, productionEntries } from '../container/image.ts'
import { expectNoEmbeddedPostgres, expectService } from '../container/service.ts'
import { inheritedEnvironment } from '../environment.ts'
import { databaseOn, onServer } from '../http/engine.ts'

/* The stages of the Dockerfile one after the other, in a folder: with its `npm install`, which takes 15 CPU seconds. */

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

test('the stages of the Dockerfile make an installation that serves in production', async () => {
  const app = join(folder, 'app')
  await mkdir(app)
  await copyContext(packagesStage, app)
  const { PATH = '', HOME = '' } = inheritedEnvironment()
  const env = { PATH: `${dirname(process.execPath)}:${PATH}`, HOME, npm_config_prefer_offline: 'true' }
  for (const run of instructions(packagesStage, 'RUN')) {
    execFileSync('sh', ['-e', '-c', run.getRawArgumentsContent() ?? ''], { cwd: app, env, stdio: 'pipe' })
  }
  // Exactly the production packages.
  const paths = productionEntries().map(([path]) => path)
  const installed = globSync('node_modules/{*,@*/*,**/node_modules/{*,@*/*}}/package.json', { cwd: app }).map(dirname)
  expect(installed.filter((path) => !paths.includes(path))).toEqual([])
  expect(paths.filter((path) => !existsSync(join(app, path)))).toEqual([])
  await copyContext(finalStage, app)
  await expectNoEmbeddedPostgres(app, join(folder, 'no-data'))
  await expectService(app, join(folder, 'data'), databaseOn(inject('engineUrl'), database))
})
