import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { parseTraceparent, traceparentOf } from '../core/telemetry/trace-context.ts'
import type { OpenSpan, Tracing } from '../core/telemetry/tracing.ts'

/** Runs a step of a request in its span; without a collector just runs it. */
type InSpan = (request: FastifyRequest, reply: FastifyReply, step: () => void) => void

/**
 * W3C trace context of requests. The response to a valid `traceparent` carries one of this service in the same trace; with an exporter each
 * request is a span, which the first step starts.
 */
export function openSpans(tracing: Tracing | null): InSpan {
  const spans = new WeakMap<FastifyRequest, OpenSpan>()
  return (request, reply, step) => {
    if (tracing !== null) {
      const span = spans.get(request) ?? startSpan(tracing, request, reply)
      spans.set(request, span)
      return tracing.inside(span, step)
    }
    const parent = reply.hasHeader('traceparent') ? null : parseTraceparent(request.headers.traceparent)
    if (parent !== null) {
      void reply.header('traceparent', traceparentOf({ ...parent, spanId: randomBytes(8).toString('hex') }))
    }
    step()
  }
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
