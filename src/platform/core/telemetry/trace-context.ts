/** A parsed `traceparent` of W3C Trace Context; ids in lower-case hex. */
export interface TraceParent {
  readonly traceId: string
  readonly spanId: string
  /** Whether the client records the trace. */
  readonly sampled: boolean
}

const shape = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/

/** Parses a `traceparent` (W3C Trace Context); null for an invalid header, which counts as absent. */
export function parseTraceparent(header: string | string[] | undefined): TraceParent | null {
  if (typeof header !== 'string') return null
  const [, version, traceId = '', spanId = '', flags = '', rest] = shape.exec(header) ?? []
  // ff is not a version; 00 has nothing after the flags, a later version may.
  if (version === undefined || version === 'ff' || (version === '00' && rest !== undefined)) return null
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return null
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

/** Writes a `traceparent` of version 00. */
export function traceparentOf({ traceId, spanId, sampled }: TraceParent): string {
  return `00-${traceId}-${spanId}-0${sampled ? 1 : 0}`
}
