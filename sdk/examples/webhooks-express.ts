/*
 * A receiver of webhooks for Express.
 *
 *   WEBHOOK_SECRET=whsec_... PORT=4000 node sdk/examples/webhooks-express.ts
 */
import type { AddressInfo } from 'node:net'
import { WebhookVerificationError, webhooks } from '@vigencia/client'
import express, { type NextFunction, type Request, type Response } from 'express'

const secret = process.env['WEBHOOK_SECRET'] ?? ''
// In production: a table with a unique key, written in the transaction of the work.
const seen = new Set<string>()

const app = express()

// The signature is of the bytes: `raw`, not `json`.
app.post(
  '/webhooks',
  express.raw({ type: '*/*', limit: '1mb' }),
  async (request: Request<object, string, Buffer>, response: Response) => {
    const event = await webhooks.verify(request.headers, request.body, secret)
    // Respond before the work: a delivery without a response within 15 seconds comes again.
    response.sendStatus(204)
    if (seen.has(event.id)) return
    seen.add(event.id)
    if (event.type === 'benefit.activated') console.log(event.type, event.data['benefit-id'], event.data.status)
    else console.log(event.type)
  },
)

app.use((error: unknown, _request: Request, response: Response, _next: NextFunction) => {
  response.sendStatus(error instanceof WebhookVerificationError ? 401 : 500)
})

const server = app.listen(Number(process.env['PORT'] ?? 4000), '127.0.0.1', () => {
  console.log(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
