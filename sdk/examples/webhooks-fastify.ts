/*
 * A receiver of webhooks for Fastify.
 *
 *   WEBHOOK_SECRET=whsec_... PORT=4000 node sdk/examples/webhooks-fastify.ts
 */
import { WebhookVerificationError, webhooks } from '@vigencia/client'
import fastify from 'fastify'

const secret = process.env['WEBHOOK_SECRET'] ?? ''
// In production: a table with a unique key, written in the transaction of the work.
const seen = new Set<string>()

const app = fastify()
// The signature is of the bytes: they are not parsed.
app.removeAllContentTypeParsers()
app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))

app.post('/webhooks', async (request, reply) => {
  const event = await webhooks.verify(request.headers, request.body as Buffer, secret)
  // Respond before the work: a delivery without a response within 15 seconds comes again.
  await reply.code(204).send()
  if (seen.has(event.id)) return
  seen.add(event.id)
  if (event.type === 'benefit.activated') console.log(event.type, event.data['benefit-id'], event.data.status)
  else console.log(event.type)
})

app.setErrorHandler((error, _request, reply) => {
  const isForged = error instanceof WebhookVerificationError
  return reply.code(isForged ? 401 : 500).send()
})

console.log(`listening on ${await app.listen({ port: Number(process.env['PORT'] ?? 4000), host: '127.0.0.1' })}`)
