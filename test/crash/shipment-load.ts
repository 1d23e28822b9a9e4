import { dependent, expectOk, inProduct, type Json, premium, primary, until } from '../world/test-app.ts'
import { batchOf } from './load.ts'
import { createContract, finished, include, type LoadTarget, type Stored } from './mixed-load.ts'

/* The shipments of one contract: an operator closes, sends and finishes them and reads the answers, again whenever a response was lost. */

/** A shipment that is finished, with the enrollments that the carrier accepted and refused. */
export interface StoredShipment {
  readonly id: string
  readonly contractId: string
  readonly accepted: readonly string[]
  readonly refused: readonly string[]
}

const path = '/operator/v1/shipment'
const families = 40
const of = { products: inProduct('health-insurance', premium) }

/** The steps of so many shipments, one after the other. */
export function shipmentSteps(target: LoadTarget, stored: Stored, count: number): (() => Promise<unknown>)[] {
  const send = (method: string, url: string, body?: Json) =>
    target.client.send('operator', method, url, body === undefined ? {} : { body })
  const read = async (id: string): Promise<Json> => expectOk(await send('GET', `${path}/${id}`)).body.result
  let contractId = ''
  const steps = Array.from({ length: count }, () => {
    let id = ''
    let answers: { accepted: string[]; refused: string[] } = { accepted: [], refused: [] }
    /** Done by this call or by an earlier one whose response was lost. */
    const act = async (verb: string, body: Json, done: string) => {
      const response = await send('POST', `${path}/${id}/${verb}`, body)
      if (response.status !== 409 || (await read(id)).status !== done) expectOk(response)
    }
    return [
      async () => void (answers = await includeFamilies(target, stored)),
      async () => {
        const open = expectOk(await send('GET', `${path}?contract-id=${contractId}&status=open`)).body.result
        id = open[0]['shipment-id']
        await act('close', { 'skip-not-ready': true }, 'closed')
      },
      () => act('send', { 'carrier-protocol': id.slice(-12) }, 'sent'),
      () =>
        until(
          () => read(id),
          ({ counts }) => counts.ready === 0,
        ),
      () => acknowledge(target, id, answers),
      () =>
        until(
          () => read(id),
          ({ counts }) => counts.accepted >= answers.accepted.length && counts.refused >= answers.refused.length,
        ),
      async () => {
        await act('finish', {}, 'finished')
        stored.shipments.push({ id, contractId, ...answers })
      },
    ]
  })
  const prepare = async () => {
    contractId = await createContract(target, {
      'contract-number': '900001',
      'carrier-name': 'Operadora Aurora',
      plans: [{ 'product-id': target.tenant.productIds[premium], 'carrier-plan-code': 'AE1230' }],
    })
  }
  return [prepare, ...steps.flat()]
}

/** Families, whom the carrier accepts, and as many single people, of whom it refuses every fourth. */
async function includeFamilies(target: LoadTarget, stored: Stored): Promise<{ accepted: string[]; refused: string[] }> {
  const single = Array.from({ length: families }, () => primary(of))
  const mothers = Array.from({ length: families }, () => primary(of))
  const batch = batchOf([...single, ...mothers, ...mothers.map((one) => dependent(one['tax-id'], of))])
  stored.batches.push(batch)
  const body = await finished(target, await include(target, batch))
  const idOf = (member: Json): string => body['status-by-tax-id'][member['tax-id']][premium]['enrollment-id']
  const isRefused = (member: Json) => single.indexOf(member) % 4 === 3
  return {
    accepted: batch.members.filter((member) => !isRefused(member)).map(idOf),
    refused: single.filter(isRefused).map(idOf),
  }
}

/** Answers the items by two files, the dependents and the refused in the first. */
async function acknowledge(
  { client }: LoadTarget,
  id: string,
  { accepted, refused }: { readonly accepted: readonly string[]; readonly refused: readonly string[] },
): Promise<void> {
  const lines = [
    ...refused.map((one) => ({ 'enrollment-id': one, outcome: 'refused', code: '99' })),
    ...accepted.map((one, index) => ({ 'enrollment-id': one, outcome: 'accepted', 'card-number': `${id}-${index}` })),
  ]
  const half = Math.floor(lines.length / 2)
  for (const some of [lines.slice(0, half), lines.slice(half)]) {
    const body = Buffer.from(some.map((line) => JSON.stringify(line)).join('\n'))
    const headers = { 'content-type': 'application/x-ndjson' }
    expectOk(await client.send('operator', 'POST', `${path}/${id}/acknowledgement`, { body, headers }))
  }
}
