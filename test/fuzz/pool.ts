import type { Rng } from '../crash/rng.ts'

/** Values of one object of a response and of the objects around it, by name: what belongs together. */
export type PoolRecord = Readonly<Record<string, string>>

/** Names of fields that hold the value of another name. */
const aliases: Readonly<Record<string, string>> = {
  'new-product-id': 'product-id',
  'new-company-tax-id': 'company-tax-id',
  'employee-company-tax-id': 'company-tax-id',
  'company-tax-ids': 'company-tax-id',
  'enrollment-ids': 'enrollment-id',
  'endpoint-id': 'webhook-endpoint-id',
  assignee: 'operator-id',
  movement: 'layout-id',
  acknowledgement: 'layout-id',
  'discrepancy-ids': 'discrepancy-id',
}

/** What the `id` of an item is, by the path that returned it. */
const resources: readonly [RegExp, string][] = [
  [/\/carrier-file/, 'carrier-file'],
  [/\/delivery$|\/audit$|\/note$|webhook-delivery/, 'item'],
  [/\/document$/, 'document'],
  [/\/import/, 'import'],
  [/\/webhook-endpoint/, 'webhook-endpoint'],
  [/\/webhook-event/, 'webhook-event'],
  [/\/invoices?/, 'invoice'],
  [/\/benefit/, 'benefit'],
  [/\/enrollment/, 'enrollment'],
  [/\/request/, 'request'],
  [/\/member/, 'member'],
  [/\/company/, 'company'],
  [/\/v1\/operator/, 'operator'],
]

const isUseful = (name: string) => /(^|-)(id|ids|url|secret|head)$|^tax-id$|^submitted-at$/.test(name)
/** The values of one name that are kept; older ones are forgotten. */
const maxValues = 400

/** Values of former responses by the name of their field, for later requests. */
export class Pool {
  readonly #values = new Map<string, string[]>()
  readonly #records = new Map<string, PoolRecord[]>()
  readonly #excluded: ReadonlySet<string>

  /** @param excluded values that no request may name, such as the clients that send the requests. */
  constructor(excluded: ReadonlySet<string> = new Set()) {
    this.#excluded = excluded
  }

  add(name: string, value: string): void {
    if (!this.#excluded.has(value)) append(this.#values, name, value)
  }

  /** Adds values that belong together. */
  addRecord(record: PoolRecord): void {
    for (const name of Object.keys(record)) append(this.#records, name, record)
  }

  /**
   * Adds the values of a JSON body, which belong to the ids of the path.
   * @param path the template of the operation that returned it.
   * @param target as it was called.
   */
  note(path: string, body: unknown, target = ''): void {
    const resource = resources.find(([shape]) => shape.test(path))?.[1] ?? 'item'
    const segments = target.split('?')[0]?.split('/') ?? []
    const ids = path.split('/').flatMap((part, index) => {
      const name = /^\{(.+-id)\}$/.exec(part)?.[1]
      const value = segments[index]
      return name === undefined || value === undefined ? [] : [[this.#name(resource, name), value] as const]
    })
    this.#collect(resource, body, Object.fromEntries(ids))
  }

  #collect(resource: string, value: unknown, around: PoolRecord): void {
    if (Array.isArray(value)) {
      for (const item of value.slice(0, 20)) this.#collect(resource, item, around)
      return
    }
    if (typeof value !== 'object' || value === null) return
    const own: Record<string, string> = {}
    const parts: [string, unknown][] = []
    for (const [key, inner] of Object.entries(value)) {
      if (typeof inner === 'string' && isUseful(key)) own[this.#name(resource, key)] = inner
      else if (typeof inner === 'object' && inner !== null) parts.push([key, inner])
      if (/^\d{11}$/.test(key)) this.add('member-tax-id', key)
      if (Array.isArray(inner)) for (const one of inner.slice(0, 20)) this.#addText(this.#name(resource, key), one)
    }
    const { profile, 'pending-items': items } = value as { profile?: { 'tax-id'?: unknown }; 'pending-items'?: unknown }
    const id = own['enrollment-id']
    // Only those of rules have a number.
    if (id !== undefined && Array.isArray(items) && JSON.stringify(items).includes('"requirement":')) {
      this.add('waiting-enrollment-id', id)
    }
    if (typeof profile?.['tax-id'] === 'string') own['member-tax-id'] = profile['tax-id']
    for (const [name, text] of Object.entries(own)) this.add(name, text)
    const record = { ...around, ...own }
    if (Object.keys(own).length > 0 && !Object.values(record).some((one) => this.#excluded.has(one))) {
      for (const name of Object.keys(record)) append(this.#records, name, record)
    }
    for (const [, inner] of parts) this.#collect(resource, inner, record)
  }

  #addText(name: string, value: unknown): void {
    if (typeof value === 'string' && isUseful(name)) this.add(name, value)
  }

  #name(resource: string, key: string): string {
    if (key === 'id') return `${resource}-id`
    // Clients of partners and operators have the same field.
    if (key === 'client-id' && resource === 'operator') return 'operator-id'
    // Invoices have files too.
    if (key === 'file-id' && resource === 'carrier-file') return 'carrier-file-id'
    if (key === 'tax-id') return resource === 'company' ? 'company-tax-id' : 'member-tax-id'
    return aliases[key] ?? key
  }

  /** A value that had this name, newer ones more often; null without any. One draw. */
  pick(name: string, rng: Rng): string | null {
    const draw = rng.between(0, 1_000_000) / 1_000_001
    const key = name === 'tax-id' || name === 'primary-member-tax-id' ? 'member-tax-id' : (aliases[name] ?? name)
    const values = this.#values.get(key) ?? []
    return values[values.length - 1 - Math.floor(values.length * draw * draw)] ?? null
  }

  /** The newest record with this value of a name; null without any. */
  findRecord(name: string, value: string): PoolRecord | null {
    return this.#records.get(name)?.findLast((record) => record[name] === value) ?? null
  }

  /** A record that has all the names, newer ones more often; null without any. One draw. */
  pickRecord(names: readonly string[], rng: Rng): PoolRecord | null {
    const draw = rng.between(0, 1_000_000) / 1_000_001
    const lists = names.map((name) => this.#records.get(name) ?? []).toSorted((a, b) => a.length - b.length)
    const records = lists[0]?.filter((record) => names.every((name) => record[name] !== undefined)) ?? []
    return records[records.length - 1 - Math.floor(records.length * draw * draw)] ?? null
  }
}

function append<T>(lists: Map<string, T[]>, name: string, value: T): void {
  const list = lists.get(name) ?? []
  lists.set(name, list)
  list.push(value)
  if (list.length > maxValues) list.shift()
}
