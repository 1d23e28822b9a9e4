import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { globSync, existsSync } from 'node:fs'
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { validate } from 'dockerfile-utils'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { prefix, settings } from '#platform/core/settings.ts'
import { inheritedEnvironment } from '../environment.ts'
import { databaseOn, onServer } from '../world/engine.ts'
import {
  pagesStage,
  copiedPaths,
  copyContext,
  execWords,
  finalStage,
  imageVariables,
  instructions,
  isInContext,
  packagesStage,
  read,
  root,
  stages,
} from './image.ts'
import { expectService } from './service.ts'

/*
 * The image, as far as it can be checked without Docker. test/long/container.test.ts runs its `npm install`, and starts what that
 * installs: the production packages alone.
 */

const database = `container_${randomBytes(6).toString('hex')}`
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vigencia-container-'))
})

afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
  await onServer(inject('engineUrl'), `drop database if exists ${database} with (force)`)
})

test('the Dockerfile has no errors and no warnings', () => {
  expect(validate(read('Dockerfile'))).toEqual([])
})

test('the image runs the Node of the packages, as a user that is not root, with a health check', () => {
  const { optionalDependencies } = JSON.parse(read('package.json')) as { optionalDependencies: { node: string } }
  expect(read('Dockerfile')).toContain(`ARG NODE_IMAGE=node:${optionalDependencies.node.split('.')[0]}-slim\n`)
  expect(stages.map(([from]) => from?.getArguments()[0]?.getValue())).toEqual([
    '${NODE_IMAGE}',
    '${NODE_IMAGE}',
    '${NODE_IMAGE}',
  ])
  expect(instructions(finalStage, 'USER').map((user) => user.getArguments()[0]?.getValue())).toEqual(['1000:1000'])
  const shellForms = ['HEALTHCHECK', 'ENTRYPOINT', 'CMD'].filter(
    (keyword) => execWords(instructions(finalStage, keyword)[0]).length === 0,
  )
  expect(shellForms).toEqual([])
  expect(stages.flat().map((one) => one.getKeyword())).not.toContain('ADD')
})

test('every path that is copied exists and is in the build context; secrets and tests are not', () => {
  const paths = [packagesStage, pagesStage, finalStage].flatMap(copiedPaths)
  expect(paths.filter((path) => !existsSync(join(root, path)) || !isInContext(path))).toEqual([])
  const others = [
    'secrets/master-key',
    '.data/master.key',
    '.git/config',
    'node_modules/pg',
    'sdk/node_modules/x',
    'console/dist/index.html',
    'site/dist/guides/index.html',
    'site/pages/index.md',
    'test/run.ts',
  ]
  expect(others.filter(isInContext)).toEqual([])
})

test('the variables of the image are settings', () => {
  const names = Object.values(settings).map(({ name }) => prefix + name)
  expect(Object.keys(imageVariables()).filter((name) => !names.includes(name))).toEqual([])
})

test('every package that the program imports is installed in production', () => {
  const { dependencies } = JSON.parse(read('package.json')) as { dependencies: object }
  const { name: workspace } = JSON.parse(read('sdk/package.json')) as { name: string }
  const production = new Set([...Object.keys(dependencies), workspace])
  const imported = globSync('{src,sdk/src}/**/*.{ts,js}', { cwd: root }).flatMap((file) =>
    [
      ...read(file).matchAll(
        /(?:^(?:import|export)(?! type)[^;'"`]*?from|import\()\s*'((?:@[\w.-]+\/)?[\w-][\w.-]*)/gm,
      ),
    ].map((found) => `${file}: ${found[1]}`),
  )
  expect(imported.length).toBeGreaterThan(100)
  const missing = imported.filter((line) => {
    const name = line.slice(line.indexOf(': ') + 2)
    return name !== 'node' && !production.has(name)
  })
  expect(missing).toEqual([])
})

test('exactly the copied paths, with the packages of the repository, serve in production, and stop on SIGTERM', async () => {
  const app = join(folder, 'app')
  await copyContext(finalStage, app)
  for (const built of ['console/dist', 'site/dist']) await cp(join(root, built), join(app, built), { recursive: true })
  await symlink(join(root, 'node_modules'), join(app, 'node_modules'))
  await onServer(inject('engineUrl'), `create database ${database} template vigencia_template`)
  await expectService(app, join(folder, 'data'), databaseOn(inject('engineUrl'), database))
})

test('the copied paths, with the packages of the repository, are all that the pages are built of', async () => {
  const pages = join(folder, 'pages')
  await copyContext(pagesStage, pages)
  await symlink(join(root, 'node_modules'), join(pages, 'node_modules'))
  const build = instructions(pagesStage, 'RUN').at(-1)?.getRawArgumentsContent() ?? ''
  const inherited = inheritedEnvironment()
  const env = { ...inherited, PATH: `${dirname(process.execPath)}:${inherited['PATH'] ?? ''}` }
  execFileSync('sh', ['-e', '-c', build], { cwd: pages, env, stdio: 'pipe' })
  const built = ['console/dist/index.html', 'site/dist/guides/index.html', 'site/dist/guides/examples.tgz']
  const packed = instructions(finalStage, 'COPY')
    .flatMap((copy) => copy.getArguments().slice(0, -1))
    .flatMap((argument) => /^\/app\/(.*\.tgz)$/.exec(argument.getValue())?.[1] ?? [])
  expect(packed.length).toBeGreaterThan(1)
  expect([...built, ...packed].filter((path) => !existsSync(join(pages, path)))).toEqual([])
})
