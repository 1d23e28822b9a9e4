import { afterAll, expect, test } from 'vitest'
import { openSmtpServer } from '../world/smtp.ts'
import { expectOk, until, useTestApp } from '../world/test-app.ts'
import { clearPrograms, startProgram } from './program.ts'

const server = await openSmtpServer()
const settings = {
  VIGENCIA_SMTP_URL: server.url,
  VIGENCIA_SMTP_TLS: 'optional',
  VIGENCIA_MAIL_FROM: 'beneficios@broker.example',
  VIGENCIA_PUBLIC_URL: 'https://console.example',
}
const testApp = useTestApp({ ...settings, VIGENCIA_ROLE: 'api' })

afterAll(async () => {
  await clearPrograms()
  await server.close()
})

const worker = () =>
  startProgram({
    ...settings,
    VIGENCIA_DATABASE_URL: testApp.databaseUrl,
    VIGENCIA_MASTER_KEY: testApp.masterKey,
    VIGENCIA_ENVIRONMENT: 'staging',
    VIGENCIA_DATA_DIR: testApp.dataDir,
  })

test(
  'killed with -9 between the sending and its record: the mail is doubtful, and nobody gets it twice',
  { timeout: 120_000 },
  async () => {
    server.answer = (step) => (step === 'message' ? null : undefined)
    const dying = await worker()
    const { body } = expectOk(
      await testApp.operator.post('/operator/v1/person', {
        name: 'Ana Prado',
        email: 'ana@broker.example',
        // An analyst would get a digest too, which counts this mail.
        role: 'finance',
      }),
    )
    await server.until(1)
    await dying.kill()
    server.answer = () => undefined
    const lease = `update mail set leased_until = now() where status = 'sending'`
    await testApp.sql(lease)
    const program = await worker()
    const rows = await until(
      () => testApp.sql('select status, error from mail where recipient_id = $1', [body['person-id']]),
      ([row]) => row?.['status'] === 'doubtful',
    )
    expect(rows).toEqual([{ status: 'doubtful', error: 'interrupted' }])
    // A mail that comes after it goes out: the worker has looked at the outbox.
    expectOk(
      await testApp.operator.post(`/operator/v1/person`, { name: 'Bia', email: 'bia@broker.example', role: 'finance' }),
    )
    await server.until(2)
    expect(server.got.map(({ to }) => to)).toEqual(['ana@broker.example', 'bia@broker.example'])
    expect(await program.stop()).toBe(0)
    expect(program.errorLines).toEqual([])
  },
)
