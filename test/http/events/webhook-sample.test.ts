import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectOk, useTestApp, until } from '../../world/test-app.ts'
import { deliveriesOf, makeEndpoint, patch } from '../../world/receiver.ts'

const testApp = useTestApp({ VIGENCIA_WEBHOOK_ALLOW_PRIVATE: 'true' })
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vigencia-sample-'))
})

afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

/** The receiver of docs/how-to/receive-webhooks.md, run as the page says. */
async function startSample(secret: string) {
  const page = await readFile(new URL('../../../docs/how-to/receive-webhooks.md', import.meta.url), 'utf8')
  const sample = /^cat > receiver\.mjs <<'END'\n([^]*?)^END$/m.exec(page)?.[1] ?? ''
  expect(sample).toContain('createServer')
  await writeFile(join(folder, 'receiver.mjs'), sample)
  const child = spawn(process.execPath, ['receiver.mjs'], {
    cwd: folder,
    env: { WEBHOOK_SECRET: secret, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines: string[] = []
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line))
  const stop = async () => {
    const exited = once(child, 'exit')
    child.kill()
    await exited
  }
  const port = await until(
    async () => /listening on (\d+)/.exec(lines[0] ?? '')?.[1] ?? '',
    (found) => found !== '',
  )
  return { url: `http://127.0.0.1:${port}/`, lines, stop }
}

test('the receiver of the page verifies deliveries, processes each event once, and refuses the others', async () => {
  const company = await testApp.company()
  const partner = await testApp.partner(company.taxId)
  const { id, secret } = await makeEndpoint(partner, 'http://127.0.0.1:65535/')
  const sample = await startSample(secret)
  try {
    expectOk(await patch(testApp, partner, `/v1/webhook-endpoint/${id}`, { url: sample.url }))
    const event = expectOk(await partner.post(`/v1/webhook-endpoint/${id}/test`)).body.result
    const succeeded = (count: number) =>
      deliveriesOf(partner, event.id, (all) => all.filter((one) => one.status === 'succeeded').length === count)
    await succeeded(1)
    expectOk(await partner.post(`/v1/webhook-event/${event.id}/redeliver`))
    await succeeded(2)
    // Signed with both secrets: the receiver knows the old one alone.
    expectOk(await partner.post(`/v1/webhook-endpoint/${id}/rotate-secret`))
    const second = expectOk(await partner.post(`/v1/webhook-endpoint/${id}/test`)).body.result
    await deliveriesOf(partner, second.id, ([one]) => one.status === 'succeeded')
    const line = `webhook.test ${JSON.stringify({ 'endpoint-id': id })}`
    await until(
      async () => sample.lines.slice(1),
      (lines) => lines.length === 2,
    )
    expect(sample.lines.slice(1)).toEqual([line, line])

    const now = String(Math.floor(Date.now() / 1_000))
    const forged = { 'webhook-id': 'x', 'webhook-timestamp': now, 'webhook-signature': `v1,${'A'.repeat(43)}=` }
    for (const headers of [forged, { ...forged, 'webhook-signature': '' }, {}] as Record<string, string>[]) {
      expect((await fetch(sample.url, { method: 'POST', headers, body: '{}' })).status).toBe(401)
    }
  } finally {
    await sample.stop()
  }
})
