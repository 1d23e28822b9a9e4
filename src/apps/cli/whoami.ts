import { apiCommand } from './operation.ts'
import { printJson, printObject } from './terminal.ts'

/** `vigencia whoami`. */
export const whoamiCommand = apiCommand({
  name: 'whoami',
  description: 'show which client calls which service, what it may do, and the business day',
  examples: {
    whoami: 'the client of the default profile',
    'whoami --profile acme --json': 'another one, for a script',
  },
  api: 'either',
  async run({ json }, { url, api, sdk, token }) {
    const { claimsOf } = await import('./api-client.ts')
    const { sub, exp } = claimsOf(await token(null))
    const [{ 'business-date': businessDate }, { pagination }, account] = await Promise.all([
      sdk.service.health(),
      sdk.companies.list({ 'items-per-page': 1 }),
      'account' in sdk ? sdk.account.read() : null,
    ])
    const result = {
      url,
      api,
      'client-id': sub,
      // The partner API does not tell the name of its client.
      name: account?.name,
      role: account?.role,
      companies: pagination?.['total-items'],
      'business-date': businessDate,
      'token-expires-at': new Date(Number(exp) * 1_000).toISOString(),
    }
    if (json) printJson({ result })
    else printObject(result)
  },
})
