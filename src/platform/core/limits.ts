const kibibyte = 1024
const mebibyte = 1024 * kibibyte
const gibibyte = 1024 * mebibyte

/**
 * Limits of one process, unless stated otherwise. A client that is alone may use all of a limit that clients share, and a quarter more is
 * there for the others: see `ConcurrencyLimit`.
 */
export interface Limits {
  /** How long a call waits for its turn. */
  readonly maxWaitMs: number
  /** TCP connections. Behind a proxy all of them come from one address. */
  readonly connections: number
  /** Concurrent requests of partners, for each connection to the database. */
  readonly partnerCallsPerConnection: number
  readonly operatorCalls: number
  /** Bytes of request bodies of more than 16 KiB in memory, and of large responses that are not sent yet. */
  readonly bodyBytes: number
  /** The same, of bodies from callers that no token or session has named. */
  readonly anonymousBodyBytes: number
  readonly uploads: number
  readonly invoiceUploads: number
  /** Batches of 128 KiB or more, each in a worker thread or waiting for one: more of them would not be faster. */
  readonly largeBatches: number
  readonly downloads: number
  /** Whole lists, exports and imports together: each uses a database connection outside the pool. */
  readonly streams: number
  /** A request body or a response below this speed is aborted. */
  readonly minimumSpeed: { readonly bytesPerSecond: number; readonly windowMs: number }
  /** For one client over all processes: stored responses of its idempotency keys, compressed and encrypted. */
  readonly storedResponseBytes: number
  /** For one client over all processes: documents and upload addresses that no movement has used. */
  readonly unusedDocuments: number
  readonly unusedDocumentBytes: number
}

export const defaultLimits: Limits = {
  maxWaitMs: 30_000,
  connections: 4_096,
  partnerCallsPerConnection: 128,
  operatorCalls: 512,
  bodyBytes: 256 * mebibyte,
  anonymousBodyBytes: 8 * mebibyte,
  uploads: 64,
  invoiceUploads: 16,
  largeBatches: 4,
  downloads: 32,
  streams: 8,
  minimumSpeed: { bytesPerSecond: 64 * kibibyte, windowMs: 30_000 },
  storedResponseBytes: 64 * mebibyte,
  unusedDocuments: 10_000,
  unusedDocumentBytes: gibibyte,
}

/** Beyond those within the shares of the pool: for a call that has a connection and needs another for one statement. */
export const spareConnections = 2
/** Beside the pool and the streams: notifications of work, the lock of the process, a clock that is moved in staging. */
const ownConnections = 3

/** The connections to the database that one process opens at most. */
export function maxConnections(poolConnections: number, { streams }: Limits): number {
  return poolConnections + spareConnections + streams + Math.floor(streams / 4) + ownConnections
}
