import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { webhooks, WebhookVerificationError } from '@vigencia/client'
import { Journal } from './journal.ts'
import { readShipment, type Shipment } from './shipment.ts'

const maxBytes = 64 * 1_024 * 1_024

export interface ReceiverOptions {
  readonly stateFolder: string
  /** The secrets of the contract's connector; several while one is replaced. */
  readonly secrets: readonly string[]
  /** Called once a shipment is stored. */
  readonly onShipment: () => void
}

/**
 * Receives shipments: it answers 202 once one is stored, also when it comes again, and 409 when the same shipment comes with another file.
 */
export function makeReceiver(options: ReceiverOptions): Server {
  let storing: Promise<unknown> = Promise.resolve()
  // One at a time: a delivery that comes again meanwhile finds the first one stored.
  const store = (shipment: Shipment) => {
    const stored = storing.then(() => storeOnce(shipment, options))
    storing = stored.catch(() => {})
    return stored
  }
  return createServer((request, response) => {
    void receive(request, options, store)
      .catch((error: unknown) => (error instanceof WebhookVerificationError ? 401 : 500))
      .then((status) => answer(response, status))
  })
}

/** @returns the status of the response. */
async function receive(
  request: IncomingMessage,
  { secrets }: ReceiverOptions,
  store: (shipment: Shipment) => Promise<number>,
): Promise<number> {
  if (request.method !== 'POST') return 405
  const body = await bodyOf(request)
  if (body === null) return 413
  const shipment = readShipment(await webhooks.verify(request.headers, body, secrets))
  return shipment === null ? 400 : store(shipment)
}

async function storeOnce(shipment: Shipment, options: ReceiverOptions): Promise<number> {
  const stored = await Journal.read(options.stateFolder, shipment['shipment-id'])
  if (stored !== null) return stored.fileSha256 === shipment['file-sha256'] ? 202 : 409
  await Journal.create(options.stateFolder, shipment)
  options.onShipment()
  return 202
}

/** null: it is too large. */
async function bodyOf(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > maxBytes) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function answer(response: ServerResponse, status: number): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end('{}')
}
