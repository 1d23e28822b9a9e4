import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { VigenciaOperator } from '@vigencia/client/operator'
import { expect, test } from 'vitest'
import { acknowledgeTo } from '../../../connectors/totvs-pls/src/acknowledge.ts'
import { Carrier } from '../../../connectors/totvs-pls/src/carrier.ts'
import { readConfiguration } from '../../../connectors/totvs-pls/src/configuration.ts'
import { PlsClient } from '../../../connectors/totvs-pls/src/pls-client.ts'
import { makeReceiver } from '../../../connectors/totvs-pls/src/receiver.ts'
import { Worker } from '../../../connectors/totvs-pls/src/worker.ts'
import {
  act,
  enroll,
  itemsOf,
  openShipmentOf,
  openShipper,
  plansOf,
  putContract,
  readShipment,
} from '../../world/shipment.ts'
import { expectOk, health, primary, until, useTestApp } from '../../world/test-app.ts'
import { startFakePls } from './fake-pls.ts'

const testApp = useTestApp({ VIGENCIA_WEBHOOK_ALLOW_PRIVATE: 'true' })
const example = new URL('../../../connectors/totvs-pls/configuration.example.json', import.meta.url)
const { pls, codes } = readConfiguration(example.pathname)

test('a shipment goes from the service to the carrier by the connector, and the answers back by the client', async () => {
  const fake = await startFakePls()
  const stateFolder = await mkdtemp(join(tmpdir(), 'vigencia-pls-'))
  const secrets: string[] = []
  const stored = Promise.withResolvers<void>()
  const receiver = makeReceiver({ stateFolder, secrets, onShipment: stored.resolve })
  try {
    receiver.listen(0, '127.0.0.1')
    await once(receiver, 'listening')
    const codesOfCarrier = { 'sub-contract': '0002', 'carrier-company-code': '0004' }
    const shipper = await openShipper(testApp)
    const plans = plansOf(shipper.company, health).map((plan) => ({ ...plan, 'plan-version': '001' }))
    expectOk(await putContract(testApp, shipper, { channel: 'connector', plans, ...codesOfCarrier }))
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
    const path = `/operator/v1/contract/${shipper.contractId}/channel`
    const settings = { deliver: 'automatic', connector: { url } }
    secrets.push(expectOk(await testApp.operator.put(path, settings)).body.result.connector.secret)
    const [taken, without] = [primary({ 'marital-status': 'married' }), primary()]
    await enroll(testApp, shipper, [taken, without])
    const id = await openShipmentOf(testApp, shipper.contractId)
    expectOk(await act(testApp, id, 'close'))
    await stored.promise
    await until(
      () => readShipment(testApp, id),
      ({ status, counts }) => status === 'sent' && counts.ready === 0,
    )

    const operator = new VigenciaOperator({ url: testApp.url, token: async () => testApp.operator.token })
    const pause = () => Promise.resolve()
    const worker = new Worker({
      stateFolder,
      carrier: new Carrier(new PlsClient({ ...pls, url: fake.url }, 'senha', pause), pls, codes),
      codes,
      pause,
      acknowledge: acknowledgeTo(operator),
      log: () => {},
    })
    await until(
      () => worker.round(),
      (left) => left === 0,
    )
    expect((await readShipment(testApp, id)).status).toBe('acknowledged')
    const byPerson = new Map((await itemsOf(testApp, id)).map((item) => [item['member-tax-id'], item]))
    expect(byPerson.get(taken['tax-id'])).toMatchObject({ status: 'accepted', 'carrier-protocol': '000001' })
    expect(byPerson.get(without['tax-id'])).toMatchObject({ status: 'refused', 'carrier-code': 'no-code' })
    expect(fake.included).toEqual(new Map([[taken['tax-id'], 1]]))
  } finally {
    receiver.close()
    await fake.close()
    await rm(stateFolder, { recursive: true })
  }
})
