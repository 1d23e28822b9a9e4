import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Client, type Company, health, type Json, nextCpf, primary, useTestApp } from '../world/test-app.ts'
import { pdf } from '../world/upload.ts'
import { type Cli, openCli } from './command.ts'

/* What a company asked the broker for, as an operator sends it from the command line. */

const testApp = useTestApp()
let cli: Cli
let company: Company
let partner: Client

beforeAll(async () => {
  cli = await openCli()
  company = await testApp.company()
  partner = await testApp.partner(company.taxId)
  await cli.signIn(testApp.url, { partner, operator: testApp.operator })
})
afterAll(async () => {
  await cli.clear()
})

const came = [
  '--as',
  'operator',
  '--medium',
  'email',
  '--received-at',
  '2026-11-20T18:40:00-03:00',
  '--requester-name',
  'Paula Andrade',
  '--requester-contact',
  '(11) 98765-4321',
]
const taxIdOf = (): string[] => ['--company-tax-id', company.taxId]
const shown = async (id: string): Promise<Json> =>
  (await testApp.operator.get(`/operator/v1/request/${id}`)).body.result

test('a file is included with how it came and its evidence, and a repetition is the same request with the same evidence', async () => {
  const file = await cli.file('joiners.json', JSON.stringify({ members: [primary(), primary()] }))
  const evidence = await cli.file('mail.pdf', pdf)
  const command = ['include', file, ...taxIdOf(), ...came, '--evidence', evidence, '--watch', '--json']
  const first = await cli.run(command)
  expect(first).toMatchObject({ code: 0 })
  const { 'request-id': id } = first.json
  const request = await shown(id)
  expect(request).toMatchObject({ status: 'completed', 'requested-by': 'operator' })
  expect(request.intake).toMatchObject({
    medium: 'email',
    'received-at': '2026-11-20T21:40:00.000Z',
    'requester-name': 'Paula Andrade',
    'requester-contact': '11987654321',
  })
  expect(request.intake.documents).toHaveLength(1)
  const again = await cli.run(command)
  expect(again.json['request-id']).toBe(id)
  expect((await shown(id)).intake).toEqual(request.intake)
  const saved = await cli.run([
    'request',
    'evidence',
    id,
    request.intake.documents[0],
    '--output',
    `${cli.folder}/own.pdf`,
  ])
  expect(saved.code).toBe(0)
})

test('a CSV of leavers and one of alterations too; the lines of offenses are those of the file', async () => {
  const member = primary()
  await testApp.include(partner, company, [member], '?resolution=approve')
  const alterations = await cli.file('alterations.csv', `CPF;Telefone\n${member['tax-id']};11987654321\n`)
  const altered = await cli.run(['alter', 'file', alterations, ...taxIdOf(), ...came, '--watch'])
  expect(altered).toMatchObject({ code: 0 })
  const leavers = await cli.file(
    'leavers.csv',
    `tax-id;end-date;exclusion-reason\n${member['tax-id']};2026-11-30;resignation\n${nextCpf()};2026-11-30;resignation\n`,
  )
  const tried = await cli.run(['exclude', 'file', leavers, ...taxIdOf(), ...came, '--dry-run'])
  expect(tried.out).toMatch(/leavers\.csv:3: member-not-found \(The company has no member with this CPF\..*\)\n$/)
  const left = await cli.run(['exclude', 'file', leavers, ...taxIdOf(), ...came, '--lenient', '--json'])
  expect(left.code).toBe(5)
  expect(Object.keys((await shown(left.json['request-id']))['status-by-tax-id'])).toEqual([member['tax-id']])
})

test('without how it came, and with it as a partner, it says what to do, and sends nothing', async () => {
  const file = await cli.file('one.json', JSON.stringify({ members: [primary()] }))
  const without = await cli.run(['include', file, ...taxIdOf(), '--as', 'operator'])
  expect(without).toMatchObject({ code: 2, out: '' })
  expect(without.err).toContain('Use --medium, --received-at and --requester-name.')
  const ofPartner = await cli.run(['include', file, ...taxIdOf(), '--medium', 'email'])
  expect(ofPartner).toMatchObject({ code: 2, out: '' })
  expect(ofPartner.err).toContain('--as operator')
})

test('a document is uploaded, and answers a movement that waits for it', async () => {
  const member = primary()
  const request = await testApp.include(partner, company, [member])
  const id = request['status-by-tax-id'][member['tax-id']][health]['enrollment-id']
  const pending = { status: 'pending-documents', reason: 'Certidão' }
  expect((await testApp.operator.post(`/operator/v1/enrollment/${id}/transition`, pending)).status).toBe(200)
  const file = await cli.file('certificate.pdf', pdf)
  const uploaded = await cli.run(['document', 'upload', file, '--as', 'operator', '--json'])
  const document = `other=${uploaded.json['document-id']}`
  const answered = await cli.run(['answer', id, '--document', document, '--as', 'operator', '--json'])
  expect(answered.json.result).toMatchObject({ id, status: 'created' })
})
