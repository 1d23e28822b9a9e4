/** What is counted apart. `members`: answers that tell whether a CPF exists; `redeliveries`: of webhook events, tests with them. */
export type LimitClass = 'reads' | 'writes' | 'authenticate' | 'members' | 'redeliveries'

export type Quotas = Readonly<Record<LimitClass, number>>

export const windowSeconds = 60
/** Answers a minute that tell whether a CPF exists. */
const membersQuota = 30
/** Redeliveries and tests a minute: each makes a delivery to up to all endpoints of the client. */
const redeliveriesQuota = 60

/** Reads `reads/writes/authenticate` a minute; null for `off`. */
export function parseRateLimits(text: string): Quotas | null {
  if (text === 'off') return null
  const [reads = 0, writes = 0, authenticate = 0] = text.split('/').map(Number)
  return { reads, writes, authenticate, members: membersQuota, redeliveries: redeliveriesQuota }
}

/**
 * What one process knows of a client's permits in a class. All processes draw from one count, some permits ahead; what a
 * process holds and does not need goes back. Times are milliseconds of any clock that only goes forward.
 */
export interface Bucket {
  readonly quota: number
  /** Drawn and not yet used here. */
  stock: number
  /** Drawn by all processes in this window, as last told. */
  drawn: number
  /** The number of the window; null before the first draw. */
  window: number | null
  endsAt: number
  /** Nothing was left: not asked again before. */
  dryUntil: number
}

export function newBucket(quota: number): Bucket {
  return { quota, stock: 0, drawn: 0, window: null, endsAt: 0, dryUntil: 0 }
}

/** `ask`: the process must draw before it can tell. */
export type Taking = 'taken' | 'refused' | 'ask'

/** Takes a permit out of what is at hand. */
export function takePermit(bucket: Bucket, now: number): Taking {
  if (now >= bucket.endsAt) return 'ask'
  if (bucket.stock > 0) {
    bucket.stock -= 1
    return 'taken'
  }
  return now < bucket.dryUntil ? 'refused' : 'ask'
}

/** Whether nothing is left in the window, as far as is known. */
export function isDry(bucket: Bucket, now: number): boolean {
  return now < bucket.endsAt && bucket.stock === 0 && now < bucket.dryUntil
}

/**
 * How many to draw for `waiting` calls: those and some ahead, fewer towards the end, so that what other processes hold
 * unused stays a small part of the quota.
 */
export function drawSize(bucket: Bucket, waiting: number): number {
  const ahead = Math.floor(bucket.quota / 30)
  const left = Math.max(0, bucket.quota - bucket.drawn)
  return Math.max(1, waiting + Math.min(ahead, Math.floor(left / 8)))
}

/** Whether to draw already, so that the next calls need not wait for it. */
export function runsLow(bucket: Bucket): boolean {
  return bucket.stock <= bucket.quota / 60 && bucket.drawn < bucket.quota && bucket.quota >= 60
}

export interface Drawn {
  readonly granted: number
  readonly drawn: number
  readonly window: number
  /** Until the window ends. */
  readonly leftMs: number
}

/** Books what the shared count granted. @param dryForMs how long "nothing left" is believed: others may give back. */
export function book(bucket: Bucket, answer: Drawn, now: number, dryForMs: number): void {
  if (bucket.window !== answer.window) bucket.stock = 0
  bucket.window = answer.window
  bucket.stock += answer.granted
  bucket.drawn = answer.drawn
  bucket.endsAt = now + answer.leftMs
  bucket.dryUntil = answer.granted === 0 ? now + dryForMs : 0
}

/** Permits left to the client in the window, as far as this process knows. */
export function remaining(bucket: Bucket): number {
  return Math.max(0, bucket.quota - bucket.drawn) + bucket.stock
}

/** Whole seconds until the window ends, at least one. */
export function resetSeconds(bucket: Bucket, now: number): number {
  return Math.max(1, Math.ceil((bucket.endsAt - now) / 1_000))
}

/** `RateLimit-Policy` (IETF RateLimit headers, draft 11). */
export function policyText(name: LimitClass, quota: number): string {
  return `"${name}";q=${quota};w=${windowSeconds}`
}

/** Windows of clients begin at different seconds of the minute, so that they do not all come back at once. */
export function phaseOf(clientId: string): number {
  let sum = 0
  for (let at = 0; at < clientId.length; at += 1) sum = (sum * 31 + clientId.charCodeAt(at)) % 65_521
  return sum % windowSeconds
}
