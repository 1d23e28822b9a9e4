/*
 * Errors of a request as such: its form, its token, its limits. The others are in error-codes.
 */

/** One error code. `cause` and `mend` are for the documentation. */
export interface ErrorDescription {
  /** The HTTP status. */
  readonly status: number
  /** The sentence in `error`, unless an operation has its own. */
  readonly error: string
  readonly cause: string
  readonly mend: string
}

const credentials = { status: 401, error: 'Invalid credentials' } as const
const wait = 'Wait for the seconds of `Retry-After`, then repeat the same call.'
const addresses = 'Compare method and address with `/openapi.json`.'

export const REQUEST_ERRORS = {
  'bad-request': {
    status: 400,
    error: 'Bad Request',
    cause: 'The request is not valid HTTP: a malformed header, or not exactly one `Host`.',
    mend: 'Correct the HTTP client or the proxy in between.',
  },
  'invalid-path': {
    status: 400,
    error: 'Invalid path',
    cause: 'The path cannot be decoded.',
    mend: 'Percent-encode the path as UTF-8.',
  },
  'invalid-body': {
    status: 400,
    error: 'Invalid body',
    cause: 'The body is not JSON, or does not match the schema of the operation.',
    mend: '`details` name each field, or line and column of the first character that is not JSON.',
  },
  'invalid-parameter': {
    status: 400,
    error: 'Invalid parameter',
    cause: 'A parameter of path, query or header is invalid. The sentence names one of the path: `Invalid request-id`.',
    mend: '`details` name each parameter, and what it may be.',
  },
  'unknown-parameter': {
    status: 400,
    error: 'Invalid parameter',
    cause: 'The operation has no such query parameter.',
    mend: '`details` name the parameters that it has.',
  },
  'not-applicable': {
    status: 400,
    error: 'Invalid body',
    cause: 'A field does not belong to this movement or status. Nothing was changed.',
    mend: 'Leave out the fields in `details`.',
  },
  'before-start-date': {
    status: 400,
    error: 'End date is before the start of the benefit',
    cause: 'The `end-date` of an operator is before the day on which the benefit starts. Nothing was changed.',
    mend: 'Correct the date; to undo an inclusion made by mistake, use the start date.',
  },
  'date-out-of-range': {
    status: 400,
    error: 'Date is far from today',
    cause:
      'The `start-date` or `end-date` of an operator is more than two years from today, or before 1900. Nothing was changed.',
    mend: 'Correct the dates in `details`. If they are meant, repeat the call with `confirm: true`.',
  },
  'upload-broke-off': {
    status: 400,
    error: 'Upload broke off',
    cause: 'The connection ended before the file did. Nothing was stored.',
    mend: 'Upload it again, to the same address.',
  },
  'token-missing': {
    ...credentials,
    cause: 'There is no `Authorization: Bearer <token>`.',
    mend: 'Send the token of `POST /v1/authenticate`.',
  },
  'token-expired': {
    ...credentials,
    cause: 'The token is more than an hour old.',
    mend: 'Authenticate again, then repeat the call.',
  },
  'token-invalid': {
    ...credentials,
    cause: 'The token was not issued by this service, or for the other environment (staging, production).',
    mend: 'Authenticate at the address that you call.',
  },
  'wrong-api': {
    ...credentials,
    cause: 'A token of a partner was sent to the operator API, or that of an operator to `/v1`.',
    mend: 'Use a client of the API that you call.',
  },
  'wrong-secret': {
    ...credentials,
    cause: 'There is no client of this id with this secret.',
    mend: 'Check both. A secret that was lost can only be replaced, by the operator.',
  },
  'client-revoked': {
    ...credentials,
    cause: 'The client was revoked, or the operator removed.',
    mend: 'Ask the operator for a new client.',
  },
  'session-ended': {
    ...credentials,
    cause: 'The session of the cookie has expired, was ended, or is unknown.',
    mend: 'Sign in again.',
  },
  'cross-site-request': {
    status: 403,
    error: 'Request from another site',
    cause:
      'A call with the cookie of a session did not come from a page of the service: see `Sec-Fetch-Site` and `Origin`.',
    mend: 'Call with a token. Behind a proxy, pass `Host` on or set `VIGENCIA_PUBLIC_URL` to the address in the browser.',
  },
  'not-entitled': {
    status: 403,
    error: 'Not entitled to access this company',
    cause: 'The company is unknown, or not among those of the client.',
    mend: 'Compare with `GET /v1/company`; the operator grants entitlements.',
  },
  'role-not-allowed': {
    status: 403,
    error: 'Not allowed for this role',
    cause: "The operator's role may not do this.",
    mend: 'Use an operator of another role.',
  },
  'not-found': {
    status: 404,
    error: 'Not found',
    cause: 'The address does not exist.',
    mend: `${addresses} \`details\` may name the one that was meant.`,
  },
  'method-not-allowed': {
    status: 405,
    error: 'Method not allowed',
    cause: 'The address exists, with other methods.',
    mend: '`Allow` names them.',
  },
  'request-timeout': {
    status: 408,
    error: 'Request Timeout',
    cause: 'The headers or the body came too slowly.',
    mend: 'Send it again over a faster connection.',
  },
  'body-too-large': {
    status: 413,
    error: 'Body too large',
    cause: 'The body is larger than the operation allows: 1 MiB, an inclusion 16 MiB, a document 20 MiB.',
    mend: 'Send less in one call.',
  },
  'unsupported-media-type': {
    status: 415,
    error: 'Unsupported media type',
    cause: 'The body, or the file, is of a type that the operation does not take, or is compressed.',
    mend: 'Send JSON as `application/json`; files as the operation says.',
  },
  'idempotency-key-in-use': {
    status: 409,
    error: 'A call with this Idempotency-Key is under way',
    cause: 'The first call with this `Idempotency-Key` has not ended.',
    mend: wait,
  },
  'idempotency-key-reused': {
    status: 422,
    error: 'Idempotency-Key was used with another body or query',
    cause: 'Another call was made with this `Idempotency-Key` in the last 24 hours.',
    mend: 'Use a new key for each call, and the same one only to repeat it.',
  },
  'rate-limited': {
    status: 429,
    error: 'Too many requests',
    cause: 'The client has used its quota of calls; see `RateLimit`.',
    mend: wait,
  },
  'too-many-attempts': {
    status: 429,
    error: 'Too many attempts',
    cause: 'More than 10 wrong secrets for this client id came from this address in a minute.',
    mend: 'Correct the secret and wait for `Retry-After`.',
  },
  'too-many-stored-responses': {
    status: 429,
    error: 'Too many stored responses: repeat later, or send without Idempotency-Key',
    cause: 'The responses that are stored for the keys of the client are at their limit.',
    mend: 'Repeat after `Retry-After`, or send without `Idempotency-Key`.',
  },
  'header-too-large': {
    status: 431,
    error: 'Request Header Fields Too Large',
    cause: 'The headers are larger than 16 KiB.',
    mend: 'Send fewer or shorter headers.',
  },
  'internal-error': {
    status: 500,
    error: 'Internal error',
    cause: 'A defect of the service.',
    mend: 'Report it with the `request-trace-id`.',
  },
  unavailable: {
    status: 503,
    error: 'Service temporarily unavailable',
    cause: 'The database, or another part of the service, is away. Nothing was stored.',
    mend: wait,
  },
  'database-away': {
    status: 503,
    error: 'Database away',
    cause: '`/readyz`: the database cannot be reached, or does not answer.',
    mend: 'Nothing, when it comes back by itself; else see the runbook.',
  },
  busy: {
    status: 503,
    error: 'Busy',
    cause: '`/readyz`: the database answers, but no connection became free within 5 seconds.',
    mend: 'Wait; when it stays so, see the runbook.',
  },
  'too-many-calls': {
    status: 503,
    error: 'Too many calls at once',
    cause:
      'The call waited 30 seconds for its turn, or too many calls wait: the client, or all clients together, have as many calls in progress as are allowed.',
    mend: 'Wait for `Retry-After`, and send fewer calls at once.',
  },
} as const satisfies Readonly<Record<string, ErrorDescription>>
