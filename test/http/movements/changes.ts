// The lists that take `updated-since`, compared before and after something happened: what shows otherwise must be listed as changed.
import { type Client, expectOk, type Json } from '../../world/test-app.ts'

const lists: readonly [path: string, keyOf: (item: Json) => string][] = [
  ['/v1/member?include-inactive=true', (item) => item.profile['tax-id']],
  ['/v1/benefit?include-inactive=true&items-per-page=500', (item) => item['benefit-id']],
  ['/v1/enrollment/history?items-per-page=500', (item) => item.id],
  ['/v1/request?items-per-page=500', (item) => item['request-id']],
]

export interface Seen {
  /** An instant before the lists were read. */
  readonly at: string
  /** By list and key, the items as text. */
  readonly items: readonly ReadonlyMap<string, string>[]
}

async function readLists(client: Client, more = ''): Promise<ReadonlyMap<string, string>[]> {
  return Promise.all(
    lists.map(async ([path, keyOf]) => {
      const { result } = expectOk(await client.get(`${path}${more}`)).body
      return new Map(result.map((item: Json) => [keyOf(item), JSON.stringify(item)]))
    }),
  )
}

/** The lists as they are now. */
export async function seenBy(client: Client): Promise<Seen> {
  const at = new Date().toISOString()
  return { at, items: await readLists(client) }
}

/** The lists as they are now, and their items that show otherwise than before, or are new, and that `updated-since` does not list. */
export async function seenAfter(client: Client, before: Seen): Promise<Seen & { readonly unlisted: string[] }> {
  const after = await seenBy(client)
  const listed = await readLists(client, `&updated-since=${before.at}`)
  const unlisted = after.items.flatMap((items, index) =>
    [...items]
      .filter(([key, text]) => before.items[index]?.get(key) !== text && listed[index]?.has(key) !== true)
      .map(([key, text]) => `${lists[index]?.[0]} ${key}: was ${before.items[index]?.get(key)}, is ${text}`),
  )
  return { ...after, unlisted }
}
