import { spawnSync } from 'node:child_process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Client, type Company, primary, useTestApp } from '../world/test-app.ts'
import { type Cli, openCli } from './command.ts'

const testApp = useTestApp()
let cli: Cli
let company: Company
let partner: Client

beforeAll(async () => {
  cli = await openCli()
  company = await testApp.company({ name: 'Cerâmica São José' })
  partner = await testApp.partner(company.taxId)
})
afterAll(() => cli.clear())

const environmentOf = ({ clientId, clientSecret }: Client) => ({
  VIGENCIA_URL: testApp.url,
  VIGENCIA_CLIENT_ID: clientId,
  VIGENCIA_CLIENT_SECRET: clientSecret,
})

test('credentials of the environment go before profiles, not before --profile; an incomplete set ends with 2', async () => {
  await cli.signIn('http://127.0.0.1:9', { partner, operator: testApp.operator })
  const environment = environmentOf(testApp.operator)
  const list = await cli.run(['company', 'list', '--json'], { environment })
  expect(list).toMatchObject({ code: 0, err: '' })
  // The token tells which API.
  const asPartner = await cli.run(['company', 'show', company.taxId, '--json'], { environment: environmentOf(partner) })
  expect(asPartner.json.result['tax-id']).toBe(company.taxId)
  expect((await cli.run(['--profile', 'default', 'company', 'list'], { environment })).code).toBe(3)
  const other = { ...environment, VIGENCIA_PROFILE: 'default' }
  expect((await cli.run(['company', 'list'], { environment: other })).code).toBe(0)
  const half = { VIGENCIA_URL: testApp.url, VIGENCIA_CLIENT_ID: 'x' }
  const refused = await cli.run(['company', 'list'], { environment: half })
  expect(refused.code).toBe(2)
  expect(refused.err).toMatch(
    /^error: Only 2 of VIGENCIA_URL, VIGENCIA_CLIENT_ID and VIGENCIA_CLIENT_SECRET are set\.\n/,
  )
  expect((await cli.run(['config', '--json'], { environment })).out).not.toContain(testApp.operator.clientSecret)
  const url = { ...environment, VIGENCIA_URL: 'benefits.example' }
  expect((await cli.run(['company', 'list'], { environment: url })).code).toBe(1)
})

test('lists take --limit, --columns and --where, which compares without case and accents', async () => {
  await testApp.company({ name: 'Outra' })
  await cli.signIn(testApp.url, { operator: testApp.operator, partner })
  const found = await cli.run(['company', 'list', '--where', 'name=ceramica SAO josé', '--columns', 'tax-id,name'])
  expect(found.out).toBe(`TAX-ID\tNAME\n${company.taxId}\tCerâmica São José\n`)
  const one = await cli.run(['company', 'list', '--limit', '1', '--columns', 'name', '--json'])
  expect(one.json.result).toHaveLength(1)
  expect(Object.keys(one.json.result[0])).toEqual(['name'])
  const none = await cli.run(['company', 'list', '--where', 'name=nobody'])
  expect(none).toMatchObject({ code: 0, out: 'COMPANY-TAX-ID\tNAME\tPRODUCTS\n', err: 'Nothing found.\n' })
  const unknown = await cli.run(['company', 'list', '--columns', 'colour'])
  expect(unknown).toMatchObject({ code: 2, out: '' })
  expect(unknown.err).toContain('Fields: id, name, tax-id, products')
  expect((await cli.run(['company', 'list', '--limit', '0'])).code).toBe(2)
  const nested = await cli.run(['product', 'list', '--columns', 'product-name,allowed-start-options', '--limit', '1'])
  expect(nested.out.split('\n')[0]).toBe('PRODUCT-NAME\tALLOWED-START-OPTIONS')
})

test('a member is included, listed, shown, excluded and its movements are read', async () => {
  await cli.signIn(testApp.url, { operator: testApp.operator, partner })
  const person = primary({ name: 'Íris Antunes' })
  await testApp.include(partner, company, [person], '?resolution=approve')
  const members = await cli.run(['member', 'list', '--as', 'partner', '--where', 'profile.name=iris antunes'])
  expect(members.out).toContain(`\tÍris Antunes\t${String(person['tax-id'])}\t`)
  const benefits = await cli.run(['benefit', 'list', '--as', 'partner', '--json'])
  const [benefit] = benefits.json.result
  const words = ['exclude', 'benefit', String(person['tax-id']), benefit['benefit-id'], '--end-date', '2026-11-23']
  const excluded = await cli.run([...words, '--reason', 'dismissal', '--resolution', 'approve', '--watch'])
  expect(excluded).toMatchObject({ code: 0 })
  const again = await cli.run([...words, '--reason', 'dismissal', '--resolution', 'approve'])
  expect(again.err).toContain('This movement was taken before')
  expect(again.out.split('\n')[0]).toBe(excluded.out.split('\n')[0])
  const request = /request-id (\S+)/.exec(excluded.out)?.[1] ?? ''
  const parts = await cli.run(['request', 'watch', request, '--parts'])
  expect(parts.out).toContain('\tcompleted\t')
  const history = await cli.run(['enrollment', 'history', '--type', 'exclusion', '--json'])
  const [movement] = history.json.result
  const shown = await cli.run(['enrollment', 'show', movement.id])
  expect(shown.out).toMatch(/^status +completed$/m)
  expect(shown.out).toMatch(/^history\n {2}status {4}created\n/m)
  const audit = await cli.run(['audit', 'list', '--limit', '1', '--where', `actor=${partner.clientId}`])
  expect(audit.out.split('\n')).toHaveLength(3)
})

test('a file that is no JSON is told apart, with the line', async () => {
  const markdown = await cli.run(['company', 'put', await cli.file('README.md', '# Vigencia\n')])
  expect(markdown.code).toBe(2)
  expect(markdown.err).toMatch(/README\.md is not JSON: unexpected "#" at line 1\.\n.*--format csv/)
  const comma = await cli.run(['company', 'put', await cli.file('comma.json', '{\n"a": 1,\n}')])
  expect(comma.err).toContain('unexpected "}" at line 3')
  const short = await cli.run(['company', 'put', await cli.file('short.json', '{"a":')])
  expect(short.err).toContain('it ends too early at line 1')
})

test('help of a command of a group shows its options and examples', async () => {
  const help = await cli.run(['help', 'enrollment', 'list'])
  expect(help).toMatchObject({ code: 0, err: '' })
  expect(help.out).toContain('--carrier <name>')
})

test('completion completes commands, options and values', async () => {
  const { out: script } = await cli.run(['completion', 'bash'])
  const complete = (line: string) => {
    const words = line.split(' ')
    const set = `COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}`
    const shell = spawnSync('bash', ['-c', `${script}\n${set}\n_vigencia\necho "\${COMPREPLY[*]}"`], {
      encoding: 'utf8',
    })
    expect(shell.stderr).toBe('')
    return shell.stdout.trim().split(' ')
  }
  expect(complete('vigencia enr')).toEqual(['enrollment'])
  expect(complete('vigencia --profile acme enrollment h')).toEqual(['history'])
  expect(complete('vigencia enrollment list --lim')).toEqual(['--limit'])
  expect(complete('vigencia enrollment list --status rej')).toEqual(['rejected'])
  expect(complete('vigencia completion z')).toEqual(['zsh'])
  for (const shell of ['zsh', 'fish']) expect((await cli.run(['completion', shell])).out).toContain('enrollment')
})
