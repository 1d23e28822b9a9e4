import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from './context.ts'
import { parseTraceparent, traceparentOf } from '../core/telemetry/trace-context.ts'
import type { OpenSpan, Tracing } from '../core/telemetry/tracing.ts'

/**
 * W3C trace context of requests. The response to a valid `traceparent` carries one of this service in the same trace; with an exporter each
 * request is a span. To be called before hooks that do something.
 */
export function traceRequestSpans(app: App, tracing: Tracing | null): void {
  if (tracing === null) {
    app.addHook('onRequest', (request, reply, next) => {
      const parent = parseTraceparent(request.headers.traceparent)
      if (parent !== null) {
        void reply.header('traceparent', traceparentOf({ ...parent, spanId: randomBytes(8).toString('hex') }))
      }
      next()
    })
    return
  }
  const spans = new WeakMap<FastifyRequest, OpenSpan>()
  app.addHook('onRequest', (request, reply, next) => {
    const span = startSpan(tracing, request, reply)
    spans.set(request, span)
    tracing.inside(span, next)
  })
  // The body arrives in events of the socket, outside of the span's context.
  app.addHook('preValidation', (request, _reply, next) => {
    const span = spans.get(request)
    if (span === undefined) next()
    else tracing.inside(span, next)
  })
}

function startSpan(tracing: Tracing, request: FastifyRequest, reply: FastifyReply): OpenSpan {
  const route = request.routeOptions.url ?? 'unknown'
  const attributes = {
    'http.request.method': request.method,
    'http.route': route,
    'vigencia.request_trace_id': request.id,
  }
  const parent = parseTraceparent(request.headers.traceparent)
  const span = tracing.start(`${request.method} ${route}`, attributes, parent)
  void reply.header('traceparent', span.traceparent)
  reply.raw.once('close', () => {
    const status = reply.raw.statusCode
    const broken = reply.raw.writableFinished ? {} : { 'error.type': 'aborted' }
    span.end({ 'http.response.status_code': status, ...broken }, status >= 500)
  })
  return span
}
