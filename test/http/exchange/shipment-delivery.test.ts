import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readViolations } from '../../crash/invariants.ts'
import { type SftpTestServer, startSftpServer } from '../../exchange/channels/sftp-server.ts'
import { onServer } from '../../world/engine.ts'
import { openReceiver, type Receiver } from '../../world/receiver.ts'
import {
  act,
  enroll,
  itemsOf,
  moved,
  openShipmentOf,
  openShipper,
  readShipment,
  type Shipper,
  shipmentPath,
} from '../../world/shipment.ts'
import { dependent, expectOk, type Json, primary, until, useTestApp } from '../../world/test-app.ts'
import { webhooks } from '@vigencia/client'
import { Compile } from 'typebox/compile'
import { ConnectorCall } from '#exchange/shipments/connector-schema.ts'

const testApp = useTestApp({ VIGENCIA_WEBHOOK_ALLOW_PRIVATE: 'true' })
let server: SftpTestServer
let receiver: Receiver
beforeAll(async () => {
  server = await startSftpServer()
  receiver = await openReceiver()
})
afterAll(async () => {
  await server.close()
  await receiver.close()
})
beforeEach(() => {
  server.files.clear()
  server.written.length = 0
  server.reads.length = 0
  receiver.calls.length = 0
  receiver.respond = () => ({ status: 204 })
})

const deliveriesOf = async (id: string): Promise<Json[]> =>
  expectOk(await testApp.operator.get(`${shipmentPath}/${id}/delivery`)).body.result
const sent = (id: string) =>
  until(
    () => readShipment(testApp, id),
    ({ status }) => status === 'sent',
  )
const attempted = (id: string, count = 1): Promise<Json[]> =>
  until(
    () => deliveriesOf(id),
    (list) => list.filter((one) => one['attempted-at'] !== null).length >= count,
  )
const sha256Of = async (id: string): Promise<string> => (await readShipment(testApp, id)).file.sha256
const sha256 = (bytes: Buffer | undefined) =>
  createHash('sha256')
    .update(bytes ?? '')
    .digest('hex')

const sftp = (more: Json = {}) => ({
  sftp: {
    host: '127.0.0.1',
    port: server.port,
    user: 'serra-azul',
    'host-key': server.hostKey,
    'out-folder': '/out',
    password: 'senha',
    ...more,
  },
})
const connector = (more: Json = {}) => ({ connector: { url: receiver.url }, ...more })

/** A contract with a channel, and its settings. */
async function openChannel(channel: string, settings: Json): Promise<Shipper & { readonly secret: string }> {
  const shipper = await openShipper(testApp, { channel })
  const path = `/operator/v1/contract/${shipper.contractId}/channel`
  const { result } = expectOk(await testApp.operator.put(path, settings)).body
  return { ...shipper, secret: result.connector?.secret ?? '' }
}

/** A closed shipment of a family. */
async function closedOf(shipper: Shipper): Promise<string> {
  const lead = primary()
  await enroll(testApp, shipper, [lead, dependent(lead['tax-id'])])
  const id = await openShipmentOf(testApp, shipper.contractId)
  expectOk(await act(testApp, id, 'close'))
  return id
}

describe('a server of SFTP', () => {
  test('gets the file once, and the shipment is sent by who requested it', async () => {
    const id = await closedOf(await openChannel('sftp', sftp()))
    expectOk(await act(testApp, id, 'deliver'))
    const shipment = await sent(id)
    expect(shipment['sent-by']).toBe(testApp.operator.clientId)
    const [[path, content] = []] = server.files
    expect(path).toMatch(/^\/out\/900001-1-[\da-f]{12}\.csv$/)
    expect(sha256(content)).toBe(await sha256Of(id))
    expect(await deliveriesOf(id)).toMatchObject([{ attempt: 1, channel: 'sftp', status: 'succeeded', error: null }])
    const items = await moved(testApp, id)
    expect(items.counts).toMatchObject({ sent: 2 })
  })

  test('whose key has changed gets nothing, and is not tried again', async () => {
    const hostKey = 'SHA256:uNiVztksCsDhcc0u9e8BrrJXVGDeGNh1S0bHWPHvpS4'
    const shipper = await openChannel('sftp', sftp({ 'host-key': hostKey }))
    const id = await closedOf(shipper)
    expectOk(await act(testApp, id, 'deliver'))
    const failed = { status: 'failed', error: 'host-key-changed', 'next-attempt-at': null }
    expect(await attempted(id)).toMatchObject([failed])
    expect(server.written).toEqual([])
    expect((await readShipment(testApp, id)).status).toBe('closed')
    expectOk(await testApp.operator.put(`/operator/v1/contract/${shipper.contractId}/channel`, sftp()))
    expectOk(await act(testApp, id, 'deliver'))
    await sent(id)
    expect(await deliveriesOf(id)).toMatchObject([{ attempt: 2, status: 'succeeded' }, failed])
  })

  test('has a file once, also when the process ends before it stores that it put it', async () => {
    const id = await closedOf(await openChannel('sftp', sftp()))
    await testApp.sql(`create function refuse_result() returns trigger language plpgsql as
      $$ begin raise exception 'the process has ended'; end $$`)
    const url = new URL(testApp.databaseUrl)
    // Allows triggers on tables that Citus distributes.
    url.searchParams.set('options', '-c citus.enable_unsafe_triggers=on')
    await onServer(
      url.href,
      `create trigger refuse_result before update on shipment_delivery for each row
       when (new.status = 'succeeded') execute function refuse_result()`,
    )
    try {
      expectOk(await act(testApp, id, 'deliver'))
      await until(
        async () => server.files.size,
        (files) => files === 1,
      )
      expect((await readShipment(testApp, id)).status).toBe('closed')
      expect((await act(testApp, id, 'reopen')).body.code).toBe('shipment-being-delivered')
    } finally {
      await testApp.sql('drop function refuse_result cascade')
    }
    await testApp.sql(`update shipment_delivery set leased_until = now() where pending_shipment_id = $1`, [id])
    await sent(id)
    expect([server.files.size, server.written.length]).toEqual([1, 1])
    expect(await readViolations((text, values) => testApp.sql(text, values))).toEqual({})
  })
})

describe('the folder of answers of a server', () => {
  const inFolder = () => sftp({ 'in-folder': '/in' })
  const folders = () => [...server.files.keys()].filter((path) => path.startsWith('/in/'))
  /** A worker looks into the folder at its start, not by the clock; until then it runs. */
  const poll = async (contractId: string, isDone: (paths: string[]) => boolean): Promise<void> => {
    await testApp.sql('update contract_channel set polled_at = null where contract_id = $1', [contractId])
    const worker = await testApp.startWorker()
    try {
      await until(async () => folders(), isDone)
    } finally {
      await worker.close()
    }
  }

  test('answers a shipment once', async () => {
    const shipper = await openChannel('sftp', inFolder())
    const id = await closedOf(shipper)
    expectOk(await act(testApp, id, 'send'))
    await moved(testApp, id)
    const answer = (await itemsOf(testApp, id)).map((item, index) => ({
      'enrollment-id': item['enrollment-id'],
      outcome: 'accepted',
      'card-number': `0045112077${index}`,
      'start-date': '2026-12-01',
    }))
    const bytes = Buffer.from(answer.map((line) => JSON.stringify(line)).join('\n'))
    server.files.set('/in/900001-1-retorno.ndjson', bytes)
    await poll(shipper.contractId, (paths) => paths.includes('/in/processed/900001-1-retorno.ndjson'))
    const acknowledged = ({ status }: Json) => status === 'acknowledged'
    await until(() => readShipment(testApp, id), acknowledged)
    const reads = server.reads.length
    const jobs = await testApp.sql('select id from decision_job where shipment_id = $1', [id])
    expect(jobs).toHaveLength(1)
    const sender = testApp.operator.clientId
    const [audited] = await testApp.sql(
      `select actor from audit where action = 'shipment.answer-read-by-sftp' and target = $1`,
      [id],
    )
    expect(audited).toEqual({ actor: sender })
    // The same file again, as when it could not be moved.
    server.files.set('/in/900001-1-retorno.ndjson', bytes)
    await testApp.sql(`update shipment set status = 'sent' where id = $1`, [id])
    await poll(shipper.contractId, (paths) => !paths.includes('/in/900001-1-retorno.ndjson'))
    expect(server.reads.length).toBe(reads)
    expect(await testApp.sql('select id from decision_job where shipment_id = $1', [id])).toHaveLength(1)
    await testApp.sql(`update shipment set status = 'acknowledged' where id = $1`, [id])
  })

  test('lists a file that is none as failed, and reads it no more', async () => {
    const shipper = await openChannel('sftp', inFolder())
    const id = await closedOf(shipper)
    expectOk(await act(testApp, id, 'send'))
    await moved(testApp, id)
    server.files.set('/in/retorno.xlsx', Buffer.from('PK\u0003\u0004 no workbook'))
    await poll(shipper.contractId, (paths) => paths.includes('/in/failed/retorno.xlsx'))
    const failed = {
      channel: 'sftp',
      status: 'failed',
      error: 'answer-invalid-body',
      'next-attempt-at': null,
    }
    expect(await deliveriesOf(id)).toMatchObject([failed])
    expect((await readShipment(testApp, id)).status).toBe('sent')
    server.files.set('/in/retorno.xlsx', Buffer.from('PK\u0003\u0004 no workbook'))
    const reads = server.reads.length
    await poll(shipper.contractId, (paths) => !paths.includes('/in/retorno.xlsx'))
    expect(server.reads.length).toBe(reads)
    expect(await deliveriesOf(id)).toHaveLength(1)
  })
})

describe('a connector', () => {
  test('gets all of a shipment in a signed call, and its protocol is that of the shipment', async () => {
    receiver.respond = () => ({ status: 200, body: '{"carrier-protocol":"LOTE-7"}' })
    const { secret, ...shipper } = await openChannel('connector', connector({ deliver: 'automatic' }))
    const id = await closedOf(shipper)
    expect(await sent(id)).toMatchObject({ 'carrier-protocol': 'LOTE-7' })
    const [call] = receiver.calls
    const { file } = await readShipment(testApp, id)
    expect(receiver.calls).toHaveLength(1)
    expect(call?.headers['idempotency-key']).toBe(`${id}:${file.sha256}`)
    expect(await webhooks.verify(call?.headers ?? {}, call?.text ?? '', secret)).toMatchObject({ 'shipment-id': id })
    const body = call?.body
    expect(body).toMatchObject({ 'shipment-id': id, number: 1, 'file-sha256': file.sha256 })
    expect([...Compile(ConnectorCall).Errors(body)]).toEqual([])
    expect(body.contract).toMatchObject({ 'contract-number': '900001', channel: 'connector' })
    const items = await itemsOf(testApp, id)
    expect(body.items.map((item: Json) => [item.position, item['enrollment-id'], item.movement])).toEqual(
      items.map((item) => [item.position, item['enrollment-id'], 'inclusion']),
    )
    expect(body.items.map(({ values }: Json) => values['person.tax-id'])).toEqual(
      items.map((item) => item['member-tax-id']),
    )
    expect(body.items[1].values).toMatchObject({
      'movement.beneficiary-type': 'dependent',
      'primary.tax-id': items[0]?.['member-tax-id'],
      'plan.carrier-plan-code': 'AE1230',
      'shipment.number': '1',
    })
    await moved(testApp, id)
  })

  test('is called again after an error with the same key, and not after a refusal', async () => {
    receiver.respond = () => ({ status: receiver.calls.length === 1 ? 503 : 202 })
    const id = await closedOf(await openChannel('connector', connector()))
    expectOk(await act(testApp, id, 'deliver'))
    await attempted(id)
    expect(await deliveriesOf(id)).toMatchObject([
      { attempt: 2, status: 'pending' },
      { attempt: 1, status: 'failed', 'response-status': 503, 'next-attempt-at': expect.any(String) },
    ])
    expectOk(await act(testApp, id, 'deliver'))
    await sent(id)
    const keys = receiver.calls.map(({ headers }) => [headers['idempotency-key'], headers['webhook-id']])
    expect([keys.length, new Set(keys.map(String)).size]).toEqual([2, 1])

    receiver.respond = () => ({ status: 409 })
    const other = await closedOf(await openChannel('connector', connector()))
    expectOk(await act(testApp, other, 'deliver'))
    expect(await attempted(other)).toMatchObject([{ attempt: 1, status: 'failed', 'next-attempt-at': null }])
    expectOk(await act(testApp, other, 'reopen'))
  })

  test('at an address that is not public is not called', async () => {
    const id = await closedOf(await openChannel('connector', connector()))
    const url = 'http://169.254.169.254/latest'
    await testApp.sql(
      `update contract_channel set settings = jsonb_set(settings, '{connector,url}', to_jsonb($1::text))`,
      [url],
    )
    expectOk(await act(testApp, id, 'deliver'))
    expect((await attempted(id)).at(-1)).toMatchObject({ status: 'failed', error: 'private-address' })
    expect(receiver.calls).toEqual([])
  })
})

describe('a delivery', () => {
  test('that waits keeps the shipment closed until it is stopped', async () => {
    receiver.respond = () => ({ status: 500 })
    const id = await closedOf(await openChannel('connector', connector()))
    expectOk(await act(testApp, id, 'deliver'))
    await attempted(id)
    for (const verb of ['reopen', 'cancel', 'send']) {
      const refused = await act(testApp, id, verb)
      expect([verb, refused.status, refused.body.code]).toEqual([verb, 409, 'shipment-being-delivered'])
    }
    expect((await testApp.operator.delete(`${shipmentPath}/${id}/delivery`)).status).toBe(204)
    expect((await deliveriesOf(id))[0]).toMatchObject({ status: 'failed', error: 'stopped', 'next-attempt-at': null })
    expectOk(await act(testApp, id, 'send'))
    await moved(testApp, id)
  })

  test('needs a closed shipment whose movements have not changed, and a channel with settings', async () => {
    const shipper = await openChannel('connector', connector())
    const members = [primary(), primary()]
    const [first] = await enroll(testApp, shipper, members)
    const id = await openShipmentOf(testApp, shipper.contractId)
    const refused = async (of: string) => (await act(testApp, of, 'deliver')).body.code
    expect(await refused(id)).toBe('shipment-status')
    expectOk(await act(testApp, id, 'close'))
    expectOk(await shipper.partner.post(`/v1/enrollment/${first}/cancel`, {}))
    expect(await refused(id)).toBe('shipment-items-changed')
    const portal = await closedOf(await openShipper(testApp, { channel: 'portal' }))
    expect(await refused(portal)).toBe('channel-not-set')
    expect(await refused(await closedOf(await openShipper(testApp, { channel: 'sftp' })))).toBe('channel-not-set')
    expect(await deliveriesOf(portal)).toEqual([])
  })
})

test('an e-mail has the file of the shipment and the text of the contract', async () => {
  const email = {
    to: ['mesa@aurora.example'],
    subject: 'Remessa {shipment-number} – contrato {contract-number}',
    text: '{items} movimentações de {company-name}',
  }
  const shipper = await openChannel('email', { email })
  const lead = primary()
  await enroll(testApp, shipper, [lead, dependent(lead['tax-id'])])
  const id = await openShipmentOf(testApp, shipper.contractId)
  const path = `${shipmentPath}/${id}/email`
  expect((await testApp.operator.get(path)).body.code).toBe('shipment-file-not-found')
  expectOk(await act(testApp, id, 'close'))
  const response = expectOk(await testApp.operator.get(path))
  expect(response.headers.get('content-type')).toBe('message/rfc822')
  expect(response.headers.get('content-disposition')).toContain('900001-1.eml')
  expect(response.text).toContain('To: mesa@aurora.example\r\n')
  const encoded = (text: string) => Buffer.from(text).toString('base64')
  expect(response.text).toContain(encoded('Remessa 1 – contrato 900001').slice(0, 40))
  expect(response.text).toContain(encoded('2 movimentações de ').slice(0, 20))
  const attached = response.text.split('filename="900001-1.csv"\r\n\r\n')[1]?.split('\r\n--')[0] ?? ''
  expect(sha256(Buffer.from(attached, 'base64'))).toBe(await sha256Of(id))
  const portal = await closedOf(await openShipper(testApp, { channel: 'portal' }))
  expect((await testApp.operator.get(`${shipmentPath}/${portal}/email`)).body.code).toBe('channel-not-set')
})

test('an item has the protocol that a portal answered', async () => {
  const shipper = await openShipper(testApp, { channel: 'portal' })
  await enroll(testApp, shipper, [primary()])
  const id = await openShipmentOf(testApp, shipper.contractId)
  const put = (position: number, protocol: string | null) =>
    testApp.operator.put(`${shipmentPath}/${id}/item/${position}/carrier-protocol`, { 'carrier-protocol': protocol })
  expect((await put(1, 'P-1')).body.code).toBe('shipment-status')
  expectOk(await act(testApp, id, 'close'))
  expectOk(await put(1, 'P-1'))
  expect(await itemsOf(testApp, id)).toMatchObject([{ position: 1, 'carrier-protocol': 'P-1' }])
  expect((await put(2, 'P-2')).body.code).toBe('shipment-item-not-found')
  expectOk(await put(1, null))
  expect(await itemsOf(testApp, id)).toMatchObject([{ position: 1, 'carrier-protocol': null }])
})
