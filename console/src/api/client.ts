import type { ClientOptions } from '@vigencia/client'
import { VigenciaOperator } from '@vigencia/client/operator'
import { isInUse } from './in-use.ts'
import { currentLanguage } from '../language/language.ts'

/** The URL that `fetch` is called with. */
const urlOf = (input: RequestInfo | URL): string => (input instanceof Request ? input.url : input.toString())

/** The cookie of the session authenticates. Messages of the service come in the language of the console. */
export const clientOptions = {
  url: location.origin,
  token: null,
  // A person sees the error at once and can try again.
  maxRetries: 1,
  fetch: (input, init) => {
    const headers = new Headers(init?.headers)
    headers.set('accept-language', currentLanguage())
    // Neither what refreshes a page nor what says that it is open is an act of a person.
    const isAct = (init?.method ?? 'GET') !== 'GET' && !urlOf(input).endsWith('/presence')
    if (!isAct && !isInUse()) headers.set('vigencia-background', 'true')
    return fetch(input, { ...init, headers })
  },
} satisfies ClientOptions

/** The operator API. */
export const api = new VigenciaOperator(clientOptions)
