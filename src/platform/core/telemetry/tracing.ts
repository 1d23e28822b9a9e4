import { AsyncLocalStorage } from 'node:async_hooks'
import type { Attributes, Context, SpanKind as Kind } from '@opentelemetry/api'
import { traceparentOf, type TraceParent } from './trace-context.ts'

/** A span that has started and not ended. */
export interface OpenSpan {
  /** For the responses and requests of this span. */
  readonly traceparent: string
  end(attributes: Attributes, failed: boolean): void
}

/**
 * Spans of OpenTelemetry, made only when there is a collector. They hold route templates, the kind and table of statements, ids and timings;
 * never a path, a parameter of a statement or the message of an error.
 */
export interface Tracing {
  /** Starts the span of a request. */
  start(name: string, attributes: Attributes, parent: TraceParent | null): OpenSpan
  /** Runs `work` inside a span, which becomes the parent of its spans. */
  inside<T>(span: OpenSpan, work: () => T): T
  /** Runs `work` in a new span, which starts a trace when there is none. */
  run<T>(name: string, work: () => Promise<T>): Promise<T>
  /** Runs a statement in a new span; outside of a trace without one. @param text of the statement, @param id its name. */
  statement<T>(text: string, id: string, work: () => Promise<T>): Promise<T>
  /** Exports what is left. */
  close(): Promise<void>
}

interface SpanInContext extends OpenSpan {
  readonly context: Context
}

const closeMs = 5_000

/** Opens tracing to a collector; the libraries are loaded only now. @param url of OTLP over HTTP. */
export async function openTracing(url: string, role: string, version: string): Promise<Tracing> {
  const { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } = await import('@opentelemetry/api')
  const { BatchSpanProcessor, TracerProvider } = await import('@opentelemetry/sdk-trace')
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http')
  const { resourceFromAttributes } = await import('@opentelemetry/resources')
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': 'vigencia',
      'service.version': version,
      'vigencia.role': role,
    }),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter({ url }), scheduledDelayMillis: 1_000 })],
  })
  const tracer = provider.getTracer('vigencia', version)
  const activeContext = new AsyncLocalStorage<Context>()
  const startSpan = (name: string, kind: Kind, attributes: Attributes, parent: Context): SpanInContext => {
    const span = tracer.startSpan(name, { kind, attributes }, parent)
    const { traceId, spanId, traceFlags } = span.spanContext()
    return {
      context: trace.setSpan(parent, span),
      traceparent: traceparentOf({ traceId, spanId, sampled: (traceFlags & 1) === 1 }),
      end(ended, failed) {
        span.setAttributes(ended)
        if (failed) span.setStatus({ code: SpanStatusCode.ERROR })
        span.end()
      },
    }
  }
  const child = async <T>(name: string, kind: Kind, attributes: Attributes, work: () => Promise<T>): Promise<T> => {
    const span = startSpan(name, kind, attributes, activeContext.getStore() ?? ROOT_CONTEXT)
    try {
      const result = await activeContext.run(span.context, work)
      span.end({}, false)
      return result
    } catch (error) {
      span.end({ 'error.type': typeOf(error) }, true)
      throw error
    }
  }
  return {
    start(name, attributes, parent) {
      if (parent === null) return startSpan(name, SpanKind.SERVER, attributes, ROOT_CONTEXT)
      const { traceId, spanId, sampled } = parent
      const remote = { traceId, spanId, traceFlags: sampled ? 1 : 0, isRemote: true }
      return startSpan(name, SpanKind.SERVER, attributes, trace.setSpanContext(ROOT_CONTEXT, remote))
    },
    inside: (span, work) => activeContext.run((span as SpanInContext).context, work),
    run: (name, work) => child(name, SpanKind.INTERNAL, {}, work),
    statement(text, id, work) {
      if (activeContext.getStore() === undefined) return work()
      const summary = summaryOf(text)
      const attributes = { 'db.system.name': 'postgresql', 'db.query.summary': summary, 'vigencia.statement': id }
      return child(summary, SpanKind.CLIENT, attributes, work)
    },
    async close() {
      // A collector that does not respond must not delay the stop.
      const timeout = new Promise<void>((resolve) => setTimeout(resolve, closeMs).unref())
      await Promise.race([provider.shutdown().catch(() => {}), timeout])
    },
  }
}

/** The code of an error, or its class: a message may quote what a client sent. */
function typeOf(error: unknown): string {
  const { code } = error as { code?: unknown }
  if (typeof code === 'string') return code
  return error instanceof Error ? error.name : typeof error
}

const summaries = new Map<string, string>()

/** What a statement does, to which table: `select request`, `insert into audit`. */
function summaryOf(text: string): string {
  let summary = summaries.get(text)
  if (summary === undefined) {
    const verb = /\b(?:with|select|insert into|update|delete from|analyze|set)\b/i.exec(text)?.[0] ?? 'statement'
    const table = /\b(?:from|insert into|update|analyze)\s+(\w+)/i.exec(text)?.[1]
    summary = table === undefined ? verb : `${verb} ${table}`
    summaries.set(text, summary)
  }
  return summary
}
