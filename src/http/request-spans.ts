import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from './context.ts'
import { parseTraceparent, traceparentOf } from '../telemetry/trace-context.ts'
import type { OpenSpan, Tracing } from '../telemetry/tracing.ts'

/**
 * W3C trace context of requests. A caller's `traceparent` is answered with this service's own place in the trace; with an exporter each
 * request is a span, whether the caller has a trace or not. To be called before hooks that do something.
 * @param newSpanId 16 hex digits.
 */
export function traceRequestSpans(app: App, tracing: Tracing | null, newSpanId: () => string): void {
  if (tracing === null) {
    app.addHook('onRequest', (request, reply, next) => {
      if (request.headers.traceparent !== undefined) answerTrace(request, reply, newSpanId)
      next()
    })
    return
  }
  const spans = new WeakMap<FastifyRequest, OpenSpan>()
  app.addHook('onRequest', (request, reply, next) => {
    const span = beginSpan(tracing, request, reply)
    spans.set(request, span)
    tracing.inside(span, next)
  })
  // The body comes in events of the socket, which know of no span.
  app.addHook('preValidation', (request, _reply, next) => {
    const span = spans.get(request)
    if (span === undefined) next()
    else tracing.inside(span, next)
  })
}

function answerTrace(request: FastifyRequest, reply: FastifyReply, newSpanId: () => string): void {
  const parent = parseTraceparent(request.headers.traceparent)
  if (parent !== null) void reply.header('traceparent', traceparentOf({ ...parent, spanId: newSpanId() }))
}

function beginSpan(tracing: Tracing, request: FastifyRequest, reply: FastifyReply): OpenSpan {
  const route = request.routeOptions.url ?? 'unknown'
  const attributes = {
    'http.request.method': request.method,
    'http.route': route,
    'vigencia.request_trace_id': request.id,
  }
  const parent = parseTraceparent(request.headers.traceparent)
  const span = tracing.begin(`${request.method} ${route}`, attributes, parent)
  void reply.header('traceparent', span.traceparent)
  reply.raw.once('close', () => {
    const status = reply.raw.statusCode
    const broken = reply.raw.writableFinished ? {} : { 'error.type': 'aborted' }
    span.end({ 'http.response.status_code': status, ...broken }, status >= 500)
  })
  return span
}
