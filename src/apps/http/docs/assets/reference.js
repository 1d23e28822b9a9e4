// Starts Scalar on the page of the reference, and gets the token that its requests are sent with.
const root = new URL('.', location.href)
const element = document.querySelector('#reference')

const documentUrl = new URL(element.dataset.document, root).href

/** As `fetch`. Scalar sends the first value of an enum, and defaults, for parameters that have no example: one that is disabled prevents it. */
async function customFetch(input, init) {
  const response = await fetch(input, init)
  if ((input.url ?? String(input)) !== documentUrl || !response.ok) return response
  const openapi = await response.json()
  const operations = Object.values(openapi.paths).flatMap((methods) => Object.values(methods))
  const shared = Object.values(openapi.components.parameters ?? {})
  for (const parameter of [...operations.flatMap(({ parameters = [] }) => parameters), ...shared]) {
    const isOptional = parameter.required !== true && parameter.$ref === undefined
    if (isOptional) parameter.examples = { default: { 'x-disabled': true } }
  }
  return Response.json(openapi)
}

const configuration = {
  url: documentUrl,
  customFetch,
  // The address that the browser uses, whatever the document says: a request never leaves this service.
  servers: [{ url: root.href.replace(/\/$/, '') }],
  theme: 'none',
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  // As the other pages: what the system prefers.
  hideDarkModeToggle: true,
  hideClientButton: true,
  // One search for guides and operations: that of the guides.
  hideSearch: true,
  persistAuth: false,
  documentDownloadType: 'direct',
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  // An accessible name contains the visible text.
  localization: { translations: { navigation: { showAllEndpoints: 'Show More: {name}' } } },
  authentication: { securitySchemes: {} },
}

// Scalar gives the copy buttons no accessible name, and all examples of responses the same one, which landmarks may not have.
const fixAccessibility = () => {
  for (const button of document.querySelectorAll('button[class*="copy-button"]:not([aria-label])')) {
    button.setAttribute('aria-label', 'Copy')
  }
  for (const card of document.querySelectorAll('.response-card[role=region]')) card.setAttribute('role', 'group')
}
new MutationObserver(fixAccessibility).observe(document.body, { childList: true, subtree: true })

/** Set once its script is there; the form works before. */
let reference = null

const form = document.querySelector('#token')
const status = form.querySelector('[role=status]')
const field = (name) => form.elements.namedItem(name)

form.addEventListener('submit', (event) => {
  event.preventDefault()
  void getToken()
})

/** Gets a token for the client of the form, and gives it to Scalar. */
async function getToken() {
  const credentials = { 'client-id': field('client-id').value.trim(), 'client-secret': field('client-secret').value }
  const response = await fetch(new URL('v1/authenticate', root), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(credentials),
  })
  const body = await response.json()
  if (!response.ok) {
    status.textContent = `${body.error}.`
    return
  }
  useToken(body['access-token'])
  const end = new Date(Date.now() + body['expires-in'] * 1000)
  status.textContent = `Requests are sent as ${credentials['client-id']} until ${end.toLocaleTimeString([], { timeStyle: 'short' })}.`
}

function useToken(token) {
  const { aud } = JSON.parse(atob(token.split('.')[1].replaceAll('-', '+').replaceAll('_', '/')))
  const api = String(aud).includes('operator') ? 'operator' : 'partner'
  configuration.authentication = {
    preferredSecurityScheme: api,
    securitySchemes: { ...configuration.authentication.securitySchemes, [api]: { token } },
  }
  reference?.updateConfiguration({ ...configuration })
}

/** In a demo, on the machine of the service: the demo partner. */
async function prefill() {
  const response = await fetch(new URL('docs/demo-client', root))
  if (response.status !== 200) return
  const client = await response.json()
  for (const [name, value] of Object.entries(client)) field(name).value = value
  await getToken()
}

const prefilled = prefill()

// A library of Scalar tries whether it may compile functions, which the policy of the page refuses: it need not try.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })
await import(new URL(element.dataset.script, root).href)
reference = window.Scalar.createApiReference(element, configuration)
await prefilled
