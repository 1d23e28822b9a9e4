import { VigenciaOperator } from '@vigencia/client/operator'
import { isInUse } from './in-use.ts'
import { currentLanguage } from '../language/language.ts'

/** The operator API with the cookie of the session. Messages of the service come in the language of the console. */
export const api = new VigenciaOperator({
  url: location.origin,
  token: null,
  // A person sees the error at once and can try again.
  maxRetries: 1,
  fetch: (input, init) => {
    const headers = new Headers(init?.headers)
    headers.set('accept-language', currentLanguage())
    if ((init?.method ?? 'GET') === 'GET' && !isInUse()) headers.set('vigencia-background', 'true')
    return fetch(input, { ...init, headers })
  },
})
