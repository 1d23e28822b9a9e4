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
  /** Request bodies that are still being received. */
  readonly arrivingBodies: number
  /** Bytes of request bodies in memory, and of large responses that are not sent yet. */
  readonly bodyBytes: number
  readonly uploads: number
  readonly invoiceUploads: number
  /** Batches of 128 KiB or more, each in a worker thread or waiting for one: more of them would not be faster. */
  readonly largeBatches: number
  readonly downloads: number
  /** Lists of members, and as many exports of the queue: each uses a database connection outside the pool. */
  readonly lists: number
  /** Imports: each uses a file and a database connection, and while it runs a worker thread and a connection of the pool. */
  readonly imports: number
  /** A request body or a response below this speed is aborted. */
  readonly minimumSpeed: { readonly bytesPerSecond: number; readonly windowMs: number }
  /** Of one client over all processes: stored responses of its idempotency keys, compressed and encrypted. */
  readonly storedResponseBytes: number
  /** Of one client over all processes: documents and upload addresses that no movement has used. */
  readonly unusedDocuments: number
  readonly unusedDocumentBytes: number
}

export const defaultLimits: Limits = {
  maxWaitMs: 30_000,
  connections: 4_096,
  partnerCallsPerConnection: 128,
  operatorCalls: 512,
  arrivingBodies: 256,
  bodyBytes: 256 * mebibyte,
  uploads: 64,
  invoiceUploads: 16,
  largeBatches: 4,
  downloads: 32,
  lists: 8,
  imports: 8,
  minimumSpeed: { bytesPerSecond: 64 * kibibyte, windowMs: 30_000 },
  storedResponseBytes: 64 * mebibyte,
  unusedDocuments: 10_000,
  unusedDocumentBytes: gibibyte,
}
