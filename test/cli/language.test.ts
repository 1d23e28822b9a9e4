import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAst } from 'rolldown/parseAst'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { nextByCode } from '#apps/cli/api-client.ts'
import { describedCommands } from '#apps/cli/openapi.ts'
import { json, openStub, type Stub } from '../sdk/stub.ts'
import { type Client, type Company, primary, useTestApp } from '../world/test-app.ts'
import { anyClient, type Cli, openCli, root } from './command.ts'

const testApp = useTestApp()
let cli: Cli
let stub: Stub
let company: Company
let partner: Client

beforeAll(async () => {
  cli = await openCli()
  stub = await openStub()
  company = await testApp.company()
  partner = await testApp.partner(company.taxId)
})
afterAll(async () => {
  await cli.clear()
  await stub.close()
})

const inPortuguese = { environment: { LC_ALL: '', LANG: 'pt_BR.UTF-8' } }

test('messages and errors are in the language of the locale or of --language, wherever it stands', async () => {
  await cli.signIn('http://127.0.0.1:9', {})
  const portuguese = /^erro: Nenhum client entrou, .*\nEntre: vigencia login/s
  const english = /^error: No client is signed in, .*\nSign in: vigencia login/s
  for (const [words, environment, expected] of [
    [[], { LC_ALL: '', LANG: 'pt_BR.UTF-8' }, portuguese],
    [[], { LC_ALL: 'pt_PT', LANG: 'en_US.UTF-8' }, portuguese],
    [[], { LC_ALL: '', LC_MESSAGES: 'pt_BR', LANG: 'C' }, portuguese],
    [['--language', 'pt-BR'], {}, portuguese],
    [['--language=en'], { LC_ALL: 'pt_BR' }, english],
    [[], { LC_ALL: 'en_US.UTF-8', LANG: 'pt_BR' }, english],
    [[], { LC_ALL: '', LANG: 'ptx' }, english],
  ] as const) {
    for (const line of [
      ['company', 'list', ...words],
      [...words, 'company', 'list'],
    ]) {
      const outcome = await cli.run(line, { environment })
      expect([line, environment, outcome.code]).toEqual([line, environment, 4])
      expect(outcome.err).toMatch(expected)
    }
  }
  expect((await cli.run(['--language', 'fr', 'company', 'list'])).code).toBe(2)
})

test('the service is asked for the same language, and its sentences are printed', async () => {
  await cli.signIn(testApp.url, { partner })
  const member = { ...primary(), 'mothers-name': '' }
  const file = await cli.file('family.json', JSON.stringify({ 'company-tax-id': company.taxId, members: [member] }))
  const refused = await cli.run(['include', file, '--dry-run', '--lenient', '--warnings'], inPortuguese)
  expect(refused.out).toMatch(/^\S+family\.json:1: missing-mothers-name \(Preencha o campo “Nome da mãe”\.\)$/m)
  expect(refused.err).toContain('1 de 1 pessoas têm motivos de recusa; nada foi gravado.')
  const unknown = await cli.run(['api', 'GET', '/v1/request?status=complete'], inPortuguese)
  expect(unknown.err).toMatch(/^erro: Um filtro ou parâmetro não é válido\..* \(rastreio \S+\)\n {2}status: invalid \(/)
  expect(unknown.err).not.toContain('`details` name')

  await cli.signIn(stub.url, { partner: anyClient })
  stub.replies.push(json(200, { result: [] }), json(200, { result: [] }))
  await cli.run(['product', 'list'], inPortuguese)
  expect((await cli.run(['product', 'list'])).err).toBe('Nothing found.\n')
  expect(stub.calls.map(({ headers }) => headers['accept-language'])).toEqual(['pt-BR', 'en'])
})

test('a service that is away, a file that is absent and a question are told in Portuguese', async () => {
  await cli.signIn('http://127.0.0.1:9', { partner: anyClient })
  expect((await cli.run(['product', 'list'], inPortuguese)).err).toContain('não responde (a conexão caiu).')
  const absent = await cli.run(['include', 'nada.csv'], inPortuguese)
  expect(absent).toMatchObject({ code: 2, err: 'erro: O arquivo nada.csv não existe.\n' })
})

interface Tagged {
  readonly type: string
  readonly tag?: { readonly name?: string }
  readonly quasi?: { readonly quasis: readonly { readonly value: { readonly cooked: string } }[] }
}

/** The sentences of a source. */
function sentencesOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  const { type, tag, quasi } = value as Tagged
  const inner = Object.values(value).flatMap(sentencesOf)
  if (type !== 'TaggedTemplateExpression' || tag?.name !== 'say' || quasi === undefined) return inner
  const parts = quasi.quasis.map((one) => one.value.cooked)
  return [parts.reduce((text, part, index) => `${text}{${index - 1}}${part}`), ...inner]
}

test('each sentence of the command line has a Portuguese one with the same values, and no other is there', () => {
  const folder = join(root, 'src/apps/cli')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
  const said = files.flatMap((name) => sentencesOf(parseAst(readFileSync(join(folder, name), 'utf8'), { lang: 'ts' })))
  const described = describedCommands().flatMap(({ cli: { message, irreversible } }) => [
    ...(message === undefined ? [] : [message]),
    ...(irreversible === undefined ? [] : [irreversible.sentence]),
  ])
  const next = Object.values(nextByCode)
  const texts = JSON.parse(readFileSync(join(root, 'texts/cli-pt-BR.json'), 'utf8')) as Record<string, string>
  expect(Object.keys(texts).toSorted()).toEqual([...new Set([...said, ...described, ...next])].toSorted())
  const valuesOf = (text: string) => [...text.matchAll(/\{[\w-]+\}/g)].map(([value]) => value).toSorted()
  for (const [english, portuguese] of Object.entries(texts)) {
    expect([english, valuesOf(portuguese)]).toEqual([english, valuesOf(english)])
  }
})
