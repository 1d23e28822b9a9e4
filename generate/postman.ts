/* The Postman collection of an OpenAPI document, which `npm run release:openapi` stores beside it. */
import { convertV2 } from 'openapi-to-postmanv2'

/** A folder of a collection, or a request in one. */
export interface Item {
  readonly name: string
  readonly item?: readonly Item[]
  readonly request?: {
    readonly method: string
    readonly url: { readonly path: readonly string[] }
    readonly body?: { raw: string }
  }
  event?: object[]
}

export interface Collection {
  readonly item: readonly Item[]
  variable: object[]
}

const options = {
  folderStrategy: 'Tags',
  parametersResolution: 'Example',
  // Written, but not sent until they are selected.
  enableOptionalParameters: false,
}

/** The requests of a collection, out of their folders. */
export function requestsOf({ item }: Pick<Collection, 'item'>): Item[] {
  return item.flatMap((one) => (one.item === undefined ? [one] : requestsOf({ item: one.item })))
}

/** @param document the text of an OpenAPI document. */
export async function postmanCollection(document: string): Promise<Collection> {
  const collection = await convert(document)
  collection.variable = [
    { key: 'baseUrl', value: 'http://127.0.0.1:3000' },
    { key: 'clientId', value: 'demo-partner' },
    { key: 'clientSecret', value: '' },
    { key: 'bearerToken', value: '' },
  ]
  const authenticate = requestsOf(collection).find(({ request }) => request?.url.path.at(-1) === 'authenticate')
  if (authenticate?.request?.body === undefined) throw new Error('the document has no operation to authenticate')
  authenticate.request.body.raw = JSON.stringify({ 'client-id': '{{clientId}}', 'client-secret': '{{clientSecret}}' })
  // The other requests use the token of the last response.
  authenticate.event = [{ listen: 'test', script: { type: 'text/javascript', exec: [storeToken] } }]
  return withoutIds(collection)
}

const storeToken = "pm.collectionVariables.set('bearerToken', pm.response.json()['access-token'])"

function convert(data: string): Promise<Collection> {
  return new Promise((resolve, reject) => {
    convertV2({ type: 'string', data }, options, (error, { result, reason, output }) => {
      if (result) resolve(output?.[0]?.data as unknown as Collection)
      else reject(error ?? new Error(reason))
    })
  })
}

/** Without the random ids and the responses of errors, which are most of the text. */
function withoutIds(collection: Collection): Collection {
  const text = JSON.stringify(collection, (key, value: unknown) => {
    if (key === 'id' || key === '_postman_id') return undefined
    return key === 'response' && Array.isArray(value) ? value.filter(({ code }) => code < 300) : value
  })
  return JSON.parse(text) as Collection
}
