import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Carrier } from '../../../connectors/totvs-pls/src/carrier.ts'
import { readConfiguration } from '../../../connectors/totvs-pls/src/configuration.ts'
import { Journal } from '../../../connectors/totvs-pls/src/journal.ts'
import { backOff, PlsClient } from '../../../connectors/totvs-pls/src/pls-client.ts'
import { makeReceiver } from '../../../connectors/totvs-pls/src/receiver.ts'
import type { Outcome, Shipment, ShipmentItem } from '../../../connectors/totvs-pls/src/shipment.ts'
import { Worker, type WorkerOptions } from '../../../connectors/totvs-pls/src/worker.ts'
import { cpfAt } from '../../data/people.ts'
import { type FakePls, startFakePls } from './fake-pls.ts'

const example = new URL('../../../connectors/totvs-pls/configuration.example.json', import.meta.url)
const { pls, codes } = readConfiguration(example.pathname)
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo='
const inclusionPath = 'POST /rest/fwmodel/PLIncBenModel/'
const blockPath = 'POST /rest/totvsHealthPlans/familyContract/v1/beneficiaries/blockProtocol'

let fake: FakePls
let stateFolder: string
/** What the service has been told, and the pauses of the connector. */
let acknowledged: Outcome[]
let pauses: number[]
let logged: string

beforeEach(async () => {
  fake = await startFakePls()
  stateFolder = await mkdtemp(join(tmpdir(), 'vigencia-pls-'))
  acknowledged = []
  pauses = []
  logged = ''
})

afterEach(async () => {
  await fake.close()
  await rm(stateFolder, { recursive: true })
})

/** A connector that has just started: its memory is what the folder has. */
function start(options: Partial<WorkerOptions> = {}): { readonly worker: Worker; readonly carrier: Carrier } {
  const pause = (milliseconds: number) => {
    pauses.push(milliseconds)
    return Promise.resolve()
  }
  const carrier = new Carrier(new PlsClient({ ...pls, url: fake.url }, 'senha', pause), pls, codes)
  const worker = new Worker({
    stateFolder,
    carrier,
    codes,
    pause,
    acknowledge: (_, outcomes) => {
      acknowledged.push(...outcomes)
      return Promise.resolve()
    },
    log: (message, details) => (logged += JSON.stringify([message, details])),
    ...options,
  })
  return { worker, carrier }
}

/** Rounds until nothing is left. @returns how many. */
async function finish(worker: Worker): Promise<number> {
  for (let rounds = 1; rounds <= 10; rounds++) if ((await worker.round()) === 0) return rounds
  throw new Error('The shipment does not finish')
}

const idAt = (n: number) => `01995e0b-0000-7000-8000-${String(n).padStart(12, '0')}`

function shipmentOf(items: readonly Omit<ShipmentItem, 'position' | 'enrollment-id'>[], number = 1): Shipment {
  return {
    'shipment-id': idAt(900_000 + number),
    number,
    contract: { 'contract-number': '900001', 'sub-contract': '0002', 'carrier-company-code': '0004' },
    'file-sha256': `sha-${number}`,
    items: items.map((item, index) => ({
      ...item,
      'enrollment-id': idAt(number * 1_000 + index),
      position: index + 1,
    })),
  }
}

function primary(n: number, values: ShipmentItem['values'] = {}): Omit<ShipmentItem, 'position' | 'enrollment-id'> {
  return {
    movement: 'inclusion',
    values: {
      'movement.beneficiary-type': 'primary',
      'person.relationship': 'primary',
      'person.name': `Iara Campos ${n}`,
      'person.tax-id': cpfAt(n),
      'person.date-of-birth': '1985-03-04',
      'person.gender': 'female',
      'person.marital-status': 'married',
      'person.mothers-name': 'Dulce Campos',
      'plan.carrier-plan-code': '0066',
      'plan.plan-version': '001',
      'movement.start-date': '2026-12-01',
      ...values,
    },
  }
}

function dependent(n: number, primaryNumber: number, values: ShipmentItem['values'] = {}) {
  return primary(n, {
    'movement.beneficiary-type': 'dependent',
    'primary.tax-id': cpfAt(primaryNumber),
    'person.relationship': 'child',
    'person.gender': 'male',
    'person.marital-status': 'single',
    ...values,
  })
}

const exclusion = (n: number, reason = 'dismissal') => ({
  movement: 'exclusion' as const,
  values: { 'person.tax-id': cpfAt(n), 'movement.end-date': '2026-11-30', 'movement.exclusion-reason': reason },
})

test('200 families are included once each, through an expired token, a 500 and a lost answer', async () => {
  const families = Array.from({ length: 200 }, (_, n) => [
    primary(n + 1),
    ...(n % 4 === 0 ? [dependent(n + 501, n + 1)] : []),
  ])
  const shipment = shipmentOf(families.flat())
  await (await Journal.create(stateFolder, shipment)).close()
  fake.failures.set(inclusionPath, ['500', '500-after', 'lost'])
  const { worker } = start()
  expect(await worker.round()).toBe(1)
  fake.expireTokens()
  expect(await finish(worker)).toBe(1)

  expect([...fake.included.values()].filter((times) => times !== 1)).toEqual([])
  expect(fake.included.size).toBe(250)
  expect(fake.counts).toMatchObject({ PLIncBenModel: 200, token: 2 })
  // The first family failed twice, the second once.
  expect(pauses).toEqual([backOff[0], backOff[1], backOff[0]])
  expect(acknowledged).toHaveLength(250)
  const byId = new Map(acknowledged.map((outcome) => [outcome['enrollment-id'], outcome]))
  expect(byId.get(shipment.items[0]?.['enrollment-id'] ?? '')).toEqual({
    'enrollment-id': shipment.items[0]?.['enrollment-id'],
    outcome: 'accepted',
    'card-number': fake.people.get(cpfAt(1))?.number,
    'start-date': '2026-12-01',
    protocol: '000001',
  })
  expect(acknowledged.every(({ outcome }) => outcome === 'accepted')).toBe(true)
})

test('a person is blocked on the day of the exclusion, and unblocked with the day before', async () => {
  fake.people.set(cpfAt(1), { number: '10010000000000001', isBlocked: false })
  const shipment = shipmentOf([exclusion(1)])
  await (await Journal.create(stateFolder, shipment)).close()
  const { worker, carrier } = start()
  expect(await finish(worker)).toBe(1)
  expect(acknowledged).toMatchObject([{ outcome: 'accepted', protocol: 'B1' }])
  await carrier.unblock(shipment.contract, '10010000000000001', '2026-11-30')
  const both = { subscriberId: '10010000000000001', loginUser: 'VIGENCIA' }
  expect(fake.blocks).toEqual([
    { ...both, reason: '000001', blockDate: '2026-11-30' },
    { ...both, reason: '000004', blockDate: '2026-11-29' },
  ])
})

test.each(['500-after', 'lost'] as const)('a block whose answer is %s is not sent twice', async (failure) => {
  fake.people.set(cpfAt(1), { number: '10010000000000001', isBlocked: false })
  fake.failures.set(blockPath, [failure])
  await (await Journal.create(stateFolder, shipmentOf([exclusion(1)]))).close()
  expect(await finish(start().worker)).toBe(1)
  expect(fake.counts['block']).toBe(1)
  expect(acknowledged).toMatchObject([{ outcome: 'accepted' }])
})

test('a dependent joins the family that the carrier has; without one it is refused', async () => {
  fake.people.set(cpfAt(1), { number: '10010000000000001', isBlocked: false })
  await (await Journal.create(stateFolder, shipmentOf([dependent(2, 1), dependent(4, 3)]))).close()
  await finish(start().worker)
  expect(fake.models.map(({ models }) => models[0]?.fields)).toEqual([
    [{ id: 'BBA_MATRIC', order: 1, value: '10010000000000001' }],
  ])
  expect(acknowledged.map(({ outcome, code }) => [outcome, code])).toEqual([
    ['refused', 'primary-not-found'],
    ['accepted', undefined],
  ])
})

test('a model has all values as strings, dates without hyphens, and always the attachments', async () => {
  await (await Journal.create(stateFolder, shipmentOf([primary(1, { 'person.phone': '+55 11 99999-8888' })]))).close()
  await finish(start().worker)
  const [model] = fake.models
  expect(model?.models[0]?.models?.map(({ id }) => id)).toEqual(['DETAILB2N', 'DETAILANEXO'])
  const fields = model?.models[0]?.models?.[0]?.items?.[0]?.fields ?? []
  expect(Object.fromEntries(fields.map(({ id, value }) => [id, value]))).toEqual({
    B2N_NOMUSR: 'Iara Campos 1',
    B2N_DATNAS: '19850304',
    B2N_GRAUPA: '00',
    B2N_ESTCIV: 'C',
    B2N_SEXO: '2',
    B2N_MAE: 'Dulce Campos',
    B2N_CPFUSR: cpfAt(1),
    B2N_CODPRO: '0066',
    B2N_DDD: '11',
    B2N_TELEFO: '999998888',
    B2N_DATINC: '20261201',
  })
})

test('an alteration becomes a protocol of the changed fields', async () => {
  fake.people.set(cpfAt(1), { number: '10010000000000001', isBlocked: false })
  const changes = { 'changed.email-private': 'iara@mail.example', 'changed.phone': '11988887777' }
  const alteration = { movement: 'alteration' as const, values: { 'person.tax-id': cpfAt(1), ...changes } }
  const refused = {
    movement: 'alteration' as const,
    values: { 'person.tax-id': cpfAt(1), 'changed-plan.carrier-plan-code': '0067' },
  }
  fake.failures.set('POST /rest/fwmodel/PLAltBenModel/', ['lost'])
  await (await Journal.create(stateFolder, shipmentOf([alteration, refused]))).close()
  await finish(start().worker)
  expect(fake.counts['PLAltBenModel']).toBe(1)
  const lines = fake.models[0]?.models[0]?.models?.[0]?.items?.map(({ fields }) => fields.map(({ value }) => value))
  expect(lines).toEqual([
    ['BA1_EMAIL', 'iara@mail.example', 'VIGENCIA'],
    ['BA1_DDD', '11', 'VIGENCIA'],
    ['BA1_TELEFO', '988887777', 'VIGENCIA'],
  ])
  expect(acknowledged.map(({ code }) => code)).toEqual(['not-alterable', undefined])
})

test('who has no code is refused and not sent, and without the primary nobody of the family', async () => {
  const items = [
    primary(1),
    dependent(2, 1, { 'person.relationship': 'uncle-aunt' }),
    primary(3, { 'person.marital-status': 'unknown' }),
    dependent(4, 3),
    { ...exclusion(6), movement: 'second-card' as const },
    { ...exclusion(5, 'portability'), values: { ...exclusion(5, 'portability').values, 'benefit.card-number': '7' } },
  ]
  const shipment = shipmentOf(items)
  await (await Journal.create(stateFolder, shipment)).close()
  await finish(start().worker)
  const byId = new Map(acknowledged.map((outcome) => [outcome['enrollment-id'], outcome.code ?? outcome.outcome]))
  expect(shipment.items.map((item) => byId.get(item['enrollment-id']))).toEqual([
    'accepted',
    'no-code',
    'no-code',
    'primary-refused',
    'not-supported',
    'no-code',
  ])
  expect([...fake.included.keys()]).toEqual([cpfAt(1)])
})

test('a wrong password refuses nobody, and no log has data of people', async () => {
  await (await Journal.create(stateFolder, shipmentOf([primary(1)]))).close()
  const pause = () => Promise.resolve()
  const carrier = new Carrier(new PlsClient({ ...pls, url: fake.url }, 'errada', pause), pls, codes)
  expect(await start({ carrier }).worker.round()).toBe(1)
  expect(acknowledged).toEqual([])
  expect(logged).toContain('item put off')
  expect(logged).not.toContain(cpfAt(1))
  expect(logged).not.toContain('errada')
  expect(await finish(start().worker)).toBeGreaterThan(0)
})

test('what the carrier says of a refusal goes back with it', async () => {
  await (await Journal.create(stateFolder, { ...shipmentOf([primary(1)]), contract: { 'sub-contract': '9' } })).close()
  await finish(start().worker)
  expect(acknowledged).toMatchObject([{ outcome: 'refused', code: 'http-400', message: 'Contrato não encontrado' }])
})

test('a process that ends after it sent, and in the middle of a line, does not send again', async () => {
  const shipment = shipmentOf([primary(1), primary(2)])
  await (await Journal.create(stateFolder, shipment)).close()
  // The answer of the first is lost, and so is the process: it does not come to the repeat.
  fake.failures.set(inclusionPath, ['lost'])
  const killed = () => Promise.reject(new TypeError('killed'))
  expect(await start({ pause: killed }).worker.round()).toBe(1)
  await appendFile(join(stateFolder, `${shipment['shipment-id']}.jsonl`), '{"step":"sen')
  await finish(start().worker)
  expect(fake.included).toEqual(
    new Map([
      [cpfAt(1), 1],
      [cpfAt(2), 1],
    ]),
  )
  expect(acknowledged).toHaveLength(2)
})

test('an acknowledgement that fails is sent again; then the folder has no data of people', async () => {
  const shipment = shipmentOf([primary(1)])
  await (await Journal.create(stateFolder, shipment)).close()
  const acknowledge = () => Promise.reject(new Error('The service answered the acknowledgement with 409'))
  await start({ acknowledge }).worker.round()
  expect(await start({ acknowledge }).worker.round()).toBe(1)
  const path = join(stateFolder, `${shipment['shipment-id']}.jsonl`)
  expect(await readFile(path, 'utf8')).toContain(cpfAt(1))
  expect(await finish(start().worker)).toBe(1)
  expect(acknowledged).toHaveLength(1)
  expect(await readFile(path, 'utf8')).toBe('{"step":"finished","file-sha256":"sha-1"}\n')
  expect(fake.included.get(cpfAt(1))).toBe(1)
})

test('the receiver stores what is signed, once, and not another file of the shipment', async () => {
  let received = 0
  const receiver = makeReceiver({ stateFolder, secrets: [secret], onShipment: () => (received += 1) })
  receiver.listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
  const post = async (body: unknown, signedBy = secret) => {
    const [text, at] = [JSON.stringify(body), new Date()]
    const headers = {
      'webhook-id': 'msg-1',
      'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
      'webhook-signature': new Webhook(signedBy).sign('msg-1', at, text),
    }
    return (await fetch(url, { method: 'POST', headers, body: text })).status
  }
  const shipment = shipmentOf([primary(1)])
  const other = 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA='
  expect(await post(shipment, other)).toBe(401)
  expect(await post({ ...shipment, 'shipment-id': '../../etc' })).toBe(400)
  expect(await Journal.list(stateFolder)).toEqual([])
  expect(await Promise.all([post(shipment), post(shipment), post(shipment)])).toEqual([202, 202, 202])
  expect(await post({ ...shipment, 'file-sha256': 'other' })).toBe(409)
  expect(received).toBe(1)
  expect((await Journal.read(stateFolder, shipment['shipment-id']))?.shipment).toMatchObject({ number: 1 })
  receiver.close()
})

test('a configuration that lacks something says what', () => {
  expect(() => readConfiguration(new URL('fake-pls.ts', import.meta.url).pathname)).toThrow(SyntaxError)
  const path = new URL('../../../sdk/package.json', import.meta.url).pathname
  expect(() => readConfiguration(path)).toThrow(/lacks listen, state-folder, poll-seconds, vigencia, pls, codes$/)
})
