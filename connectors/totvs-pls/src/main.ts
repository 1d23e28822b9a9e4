/*
 * The connector as a program:
 *
 *   VIGENCIA_CLIENT_SECRET=... CONNECTOR_SECRET=... PLS_PASSWORD=... node src/main.ts configuration.json
 *   ... node src/main.ts configuration.json unblock SUB-CONTRACT CARD-NUMBER DAY-OF-THE-BLOCK
 */
import { setTimeout as pause } from 'node:timers/promises'
import { VigenciaOperator } from '@vigencia/client/operator'
import { Carrier } from './carrier.ts'
import { readConfiguration } from './configuration.ts'
import { PlsClient } from './pls-client.ts'
import { makeReceiver } from './receiver.ts'
import { acknowledgeTo } from './acknowledge.ts'
import { Worker } from './worker.ts'

const [path = 'configuration.json', command, ...args] = process.argv.slice(2)
const configuration = readConfiguration(path)
const { pls, codes, 'state-folder': stateFolder } = configuration
const carrier = new Carrier(new PlsClient(pls, secret('PLS_PASSWORD'), pause), pls, codes)

if (command === 'unblock') {
  const [subContract, cardNumber = '', blockedOn = ''] = args
  await carrier.unblock({ 'sub-contract': subContract }, cardNumber, blockedOn)
} else await run()

/** Receives and takes shipments to the carrier until the process is stopped. */
async function run(): Promise<void> {
  const { url, 'client-id': clientId } = configuration.vigencia
  const operator = new VigenciaOperator({ url, clientId, clientSecret: secret('VIGENCIA_CLIENT_SECRET') })
  const worker = new Worker({ stateFolder, carrier, codes, pause, acknowledge: acknowledgeTo(operator), log })
  const secrets = secret('CONNECTOR_SECRET').split(' ')
  let wake = new AbortController()
  const receiver = makeReceiver({ stateFolder, secrets, onShipment: () => wake.abort() })
  const { host, port } = configuration.listen
  receiver.listen(port, host, () => log('listening', { address: `${host}:${port}` }))
  // Each step is in the journal, so the process may end at any moment.
  for (;;) {
    wake = new AbortController()
    await worker.round()
    await pause(configuration['poll-seconds'] * 1_000, undefined, { signal: wake.signal }).catch(() => {})
  }
}

function secret(name: string): string {
  const value = process.env[name]
  if (!value) throw new Error(`The environment variable ${name} is missing`)
  return value
}

function log(message: string, details: Readonly<Record<string, string>>): void {
  process.stdout.write(`${JSON.stringify({ time: new Date().toISOString(), message, ...details })}\n`)
}
