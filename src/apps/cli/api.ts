import { setTimeout as pause } from 'node:timers/promises'
import type { ApiClient } from './api-client.ts'
import { command } from './command-builder.ts'
import { CommandError } from './errors.ts'
import { readInput } from './json-file.ts'
import { profileParameters } from './operation.ts'
import { save } from './save.ts'
import { language, say } from './language.ts'
import { interruption, printWait } from './terminal.ts'

const parameters = {
  '<method>': 'GET, POST, PUT, PATCH or DELETE',
  '<path>': 'with its query; it begins with /',
  '--body <file>': 'the body: a file, or - for standard input',
  '--header <name:value...>': 'further headers; without content-type a body is JSON',
  ...profileParameters,
} as const

/** `vigencia api`. */
export const apiCallCommand = command({
  name: 'api',
  description: 'call any path of the service, with the token of the profile, and print the response as it is',
  examples: {
    "api GET '/v1/member?items-per-page=10'":
      'a page of members; a path of /operator/ takes the operator of the profile',
    'api POST /v1/enrollment/inclusion?dry-run=true --body family.json': 'a batch that is only judged',
  },
  parameters,
  async run({ method, path, body: file, header = [], profile }) {
    if (!path.startsWith('/')) throw new CommandError('usage', say`${path} is no path.`, say`Write it as /v1/company`)
    const headers = headersOf(header)
    const body = file === undefined ? null : await readInput(file)
    const { openApiClient } = await import('./api-client.ts')
    const client = await openApiClient(path.startsWith('/operator/') ? 'operator' : 'partner-first', profile)
    try {
      const response = await send(client, path, { method: method.toUpperCase(), headers, body })
      await save(response.body ?? [], undefined)
    } catch (error) {
      throw client.errorOf(error)
    }
  },
})

function headersOf(given: readonly string[]): Headers {
  const headers = new Headers({ accept: 'application/json, */*;q=0.5', 'accept-language': language() })
  for (const text of given) {
    const at = text.indexOf(':')
    if (at < 1) throw new CommandError('usage', say`${text} is no header.`, say`Write it as --header name:value`)
    headers.set(text.slice(0, at).trim(), text.slice(at + 1).trim())
  }
  return headers
}

interface RawRequest {
  readonly method: string
  readonly headers: Headers
  readonly body: Buffer | null
}

/** Seconds that the command waits at most. */
const maxWait = 120

/** Sends it again after 429, which nothing was done for, and once with another token. @throws ApiError for a status that is not 2xx. */
async function send(client: ApiClient, path: string, { headers, ...request }: RawRequest): Promise<Response> {
  const { ConnectionError, errorOf } = await import('@vigencia/client')
  const signal = interruption()
  if (request.body !== null && !headers.has('content-type')) headers.set('content-type', 'application/json')
  let token = await client.token(null)
  let isRenewed = false
  for (;;) {
    headers.set('authorization', `Bearer ${token}`)
    const response = await fetch(client.url + path, { ...request, headers, redirect: 'error', signal }).catch(
      (error: unknown) => {
        signal.throwIfAborted()
        throw new ConnectionError('The connection failed', error)
      },
    )
    if (response.ok) return response
    const error = await errorOf(response)
    if (error.status === 401 && ['token-expired', 'token-invalid'].includes(error.code) && !isRenewed) {
      isRenewed = true
      token = await client.token(token)
      continue
    }
    const { retryAfter } = error
    if (error.status !== 429 || retryAfter === null || retryAfter > maxWait) throw error
    printWait(retryAfter, 429)
    await pause(retryAfter * 1_000, undefined, { signal })
  }
}
