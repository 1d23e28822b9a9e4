const kibibyte = 1024
const mebibyte = 1024 * kibibyte
const gibibyte = 1024 * mebibyte

/** The bounds of one process, unless it says otherwise. Of each that clients share, one client gets at most a quarter. */
export interface Limits {
  /** TCP connections. Behind a proxy all of them come from one address. */
  readonly connections: number
  /** Calls of partners under way, for each connection to the database. */
  readonly partnerCallsPerConnection: number
  readonly operatorCalls: number
  /** Bodies of which a part is still missing. */
  readonly arrivingBodies: number
  /** Bytes of bodies that are held in memory, and of large responses that are not sent yet. */
  readonly bodyBytes: number
  readonly uploads: number
  readonly invoiceUploads: number
  /** Inclusions of 1 MiB or more, each judged in a thread or waiting for one. */
  readonly largeBatches: number
  readonly downloads: number
  /** Lists of members: each holds a connection to the database outside the pool. */
  readonly lists: number
  /** Imports: each holds a file and a connection to the database, and while it is judged a thread and a connection of the pool. */
  readonly imports: number
  /** The speed under which a body or a response is ended. */
  readonly minimumSpeed: { readonly bytesPerSecond: number; readonly windowMs: number }
  /** Of one client over all processes: stored responses of its idempotency keys, compressed and encrypted. */
  readonly storedResponseBytes: number
  /** Of one client over all processes: documents and upload addresses that no movement has used. */
  readonly unusedDocuments: number
  readonly unusedDocumentBytes: number
}

export const defaultLimits: Limits = {
  connections: 4_096,
  partnerCallsPerConnection: 128,
  operatorCalls: 512,
  arrivingBodies: 256,
  bodyBytes: 256 * mebibyte,
  uploads: 64,
  invoiceUploads: 16,
  largeBatches: 32,
  downloads: 32,
  lists: 8,
  imports: 8,
  minimumSpeed: { bytesPerSecond: 64 * kibibyte, windowMs: 30_000 },
  storedResponseBytes: 64 * mebibyte,
  unusedDocuments: 10_000,
  unusedDocumentBytes: gibibyte,
}
