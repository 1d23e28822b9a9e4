import { expect, test } from 'vitest'
import { makeContract } from '../../world/contract.ts'
import { expectOk, type Json, useTestApp } from '../../world/test-app.ts'

const testApp = useTestApp({ VIGENCIA_WEBHOOK_ALLOW_PRIVATE: 'true' })
const pathOf = ({ 'contract-id': id }: Json) => `/operator/v1/contract/${id}/channel`
const makePath = async () => pathOf(await makeContract(testApp, await testApp.company()))
const put = async (path: string, body: unknown): Promise<Json> =>
  expectOk(await testApp.operator.put(path, body)).body.result
const read = async (path: string): Promise<Json> => expectOk(await testApp.operator.get(path)).body.result
const detailsOf = ({ body }: { readonly body: Json }) => body.details.map(({ field, code }: Json) => [field, code])

const server = {
  host: 'sftp.aurora.example',
  user: 'serra-azul',
  'host-key': 'SHA256:uNiVztksCsDhcc0u9e8BrrJXVGDeGNh1S0bHWPHvpS4',
  'out-folder': '/out',
}
const connector = { url: 'https://pls.broker.example/shipment' }
const email = { to: ['mesa@aurora.example'], subject: 'Remessa {shipment-number}', text: 'Contrato {contract-number}' }

test('a contract without settings has none; what is put is what is read, without secrets', async () => {
  const path = await makePath()
  expect(await read(path)).toMatchObject({ deliver: 'by-hand', email: null, sftp: null, connector: null })
  const sent = { deliver: 'automatic', email, sftp: { ...server, password: 'segredo-da-senha' }, connector }
  const made = await put(path, sent)
  expect(made).toEqual({
    'contract-id': made['contract-id'],
    deliver: 'automatic',
    email: { ...email, cc: [] },
    sftp: { ...server, port: 22, 'has-password': true, 'has-private-key': false },
    connector: { ...connector, secret: expect.stringMatching(/^whsec_/) },
  })
  const found = await testApp.operator.get(path)
  expect(found.body.result).toEqual({ ...made, connector: { ...connector, secret: null } })
  expect(found.text).not.toContain('segredo-da-senha')
})

test('secrets stay while the server is the same, and are encrypted in the database', async () => {
  const path = await makePath()
  const { connector: made } = await put(path, { sftp: { ...server, password: 'segredo-da-senha' }, connector })
  const again = await put(path, { sftp: { ...server, 'out-folder': '/saida' }, connector })
  expect([again.sftp['has-password'], again.connector.secret]).toEqual([true, null])
  const [row] = await testApp.sql(
    `select sftp_password, connector_secret, settings::text from contract_channel where contract_id = $1`,
    [again['contract-id']],
  )
  expect(row?.['settings']).not.toMatch(/segredo|whsec/)
  expect(String(row?.['sftp_password'])).not.toContain('segredo-da-senha')
  const replaced = await put(path, { connector: { ...connector, 'new-secret': true } })
  expect(replaced.connector.secret).not.toBe(made.secret)
  expect(replaced.sftp).toBeNull()
  const other = { ...server, host: 'outra.aurora.example' }
  await put(path, { sftp: { ...server, password: 'segredo-da-senha' } })
  expect((await put(path, { sftp: other })).sftp['has-password']).toBe(false)
})

test('what cannot be used is refused with its field', async () => {
  const path = await makePath()
  const refused = async (body: unknown) => detailsOf(await testApp.operator.put(path, body))
  expect(await refused({ email: { ...email, text: 'CPF {tax-id}' } })).toEqual([['email.text', 'invalid']])
  expect(await refused({ email: { ...email, subject: 'duas\nlinhas' } })).toEqual([['email.subject', 'invalid']])
  expect(await refused({ email: { ...email, to: ['ninguém'] } })).toEqual([['email.to[0]', 'invalid']])
  expect(await refused({ email: { ...email, to: [] } })).toEqual([['email.to', 'invalid']])
  expect(await refused({ sftp: { ...server, 'host-key': 'SHA256:curta' } })).toEqual([['sftp.host-key', 'invalid']])
  expect(await refused({ sftp: { ...server, host: '169.254.169.254' } })).toEqual([['sftp.host', 'private-address']])
  expect(await refused({ connector: { url: 'https://user:senha@x.example/' } })).toEqual([
    ['connector.url', 'credentials-not-allowed'],
  ])
  expect(await refused({ fax: {} })).toEqual([['fax', 'unknown']])
  expect(await read(path)).toMatchObject({ email: null, sftp: null, connector: null })
})

test('only admins write the settings, and auditors do not see them', async () => {
  const path = await makePath()
  for (const [role, status] of [
    ['analyst', 200],
    ['finance', 403],
    ['auditor', 403],
  ] as const) {
    const operator = await testApp.operatorOf(role)
    expect((await operator.get(path)).status).toBe(status)
    expect((await operator.put(path, { email })).status).toBe(403)
  }
  const unknown = path.replace(/[\da-f]{12}\/channel/, '000000000000/channel')
  expect((await testApp.operator.get(unknown)).body.code).toBe('contract-not-found')
  expect((await testApp.operator.put(unknown, { email })).body.code).toBe('contract-not-found')
})
