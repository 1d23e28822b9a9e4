import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Json } from './test-app.ts'

interface CollectedSpan {
  readonly name: string
  readonly kind: number
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string | undefined
  readonly attributes: Readonly<Record<string, unknown>>
  readonly failed: boolean
}

export interface Collector {
  readonly url: string
  /** All that was sent, as it came. */
  readonly text: string
  readonly spans: readonly CollectedSpan[]
  /** Attributes of the process that sent. */
  readonly resource: Readonly<Record<string, unknown>>
  close(): Promise<void>
}

/** A receiver of OTLP over HTTP with JSON on the loopback. */
export async function openCollector(): Promise<Collector> {
  const bodies: string[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      bodies.push(Buffer.concat(chunks).toString())
      response.setHeader('content-type', 'application/json').end('{}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const sent = (): Json[] => bodies.flatMap((body) => JSON.parse(body).resourceSpans)
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/traces`,
    get text() {
      return bodies.join('\n')
    },
    get spans() {
      return sent().flatMap((one) => one.scopeSpans.flatMap((scope: Json) => scope.spans.map(spanOf)))
    },
    get resource() {
      return attributesOf(sent()[0]?.resource.attributes ?? [])
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function spanOf(span: Json): CollectedSpan {
  const { name, kind, traceId, spanId, parentSpanId, attributes, status } = span
  return { name, kind, traceId, spanId, parentSpanId, attributes: attributesOf(attributes), failed: status?.code === 2 }
}

function attributesOf(list: Json): Record<string, unknown> {
  return Object.fromEntries(list.map(({ key, value }: Json) => [key, Object.values(value)[0]]))
}
