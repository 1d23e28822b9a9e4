import { escapeHtml } from '#kernel/escape-html.ts'
import { ROLES } from '#kernel/enums.ts'
import { type Language, TEXTS } from '#kernel/texts/texts.ts'
import { write } from '#platform/core/write.ts'
import { takeBuffers } from '#platform/http/bodies.ts'
import { type App, type Context, requestOrigin } from '#platform/http/context.ts'
import { languageOf } from '#platform/http/language.ts'
import { addScope, page } from '#platform/http/route.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { readReader, stopKind } from './queries.ts'
import { readStopToken } from './stop-link.ts'

const url = '/mail/stop'
/** A mail program sends `List-Unsubscribe=One-Click` (RFC 8058), the page nothing. */
const bodyLimit = 1_024

const policy = "default-src 'none';style-src 'unsafe-inline';base-uri 'none';form-action 'self';frame-ancestors 'none'"

/**
 * `/mail/stop?token=...`, the link in a digest: a POST ends its kind for its person, without a sign-in. A GET only asks, since programs that look
 * for viruses follow links. It is for people and mail programs: `openapi.json` leaves it out.
 */
export async function stopPage(app: App, context: Context): Promise<void> {
  page(app, url, (request, reply) => answer(context, request, reply, false))
  void addScope(app, `POST ${url}`, (scope) => {
    scope.removeAllContentTypeParsers()
    takeBuffers(scope, ['*'], () => undefined)
    scope.route({
      method: 'POST',
      url,
      bodyLimit,
      schema: { hide: true },
      handler: (request, reply) => answer(context, request, reply, true),
    })
  })
}

async function answer(
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  stops: boolean,
): Promise<FastifyReply> {
  const { token } = request.query as { readonly token?: unknown }
  const stop = readStopToken(context.mailKey, typeof token === 'string' ? token : '')
  const reader = stop === null ? null : await readReader(context.database, stop.personId)
  void reply
    .headers({ 'content-security-policy': policy, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
    .type('text/html; charset=utf-8')
  if (stop === null || reader === null) {
    const language = languageOf(request)
    return reply.status(404).send(html(language, TEXTS[language].mails.stopped.invalid, ''))
  }
  const { language, api } = reader
  const { stopped } = TEXTS[language].mails
  if (stops) {
    const actor = { kind: api, clientId: stop.personId, origin: requestOrigin(request) } as const
    await write(context, actor, { may: api === 'partner' ? 'partner' : ROLES }, async (tx) => {
      await stopKind(tx, stop.personId, stop.kind)
      tx.audit({ action: 'person.mail-chosen', target: stop.personId, companyId: null })
    })
    return reply.send(html(language, stopped.done, `<p>${escapeHtml(stopped.again)}</p>`))
  }
  const question = stopped.question.replace('{name}', TEXTS[language].terms.mailKind[stop.kind])
  const action = `${url}?token=${encodeURIComponent(String(token))}`
  const form = `<form method="post" action="${escapeHtml(action)}"><button>${escapeHtml(stopped.button)}</button></form>`
  return reply.send(html(language, question, form))
}

const style =
  'body{margin:0;padding:48px 16px;background:#f4f5f7;color:#1f2933;font:16px/24px Arial,Helvetica,sans-serif}' +
  'main{max-width:480px;margin:0 auto;background:#fff;border:1px solid #dde1e6;border-radius:8px;padding:28px}' +
  'h1{font-size:20px;line-height:28px;margin:0 0 16px}' +
  'button{min-height:44px;padding:0 20px;border:0;border-radius:6px;background:#0b6e4f;color:#fff;font:bold 16px Arial,Helvetica,sans-serif}'

function html(language: Language, title: string, body: string): string {
  return `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${escapeHtml(title)}</title><style>${style}</style></head><body><main><h1>${escapeHtml(title)}</h1>${body}</main></body></html>
`
}
