import { makePasskey } from '../authenticator.ts'
import { invite, linkToken, personOf, sameOrigin, signInAs } from '../person.ts'
import { expectOk, type Json } from '../test-app.ts'
import { admin, auditor, chapter, movementRoles, reads, roles, type World, write } from './call.ts'

/** A client and an operator whose secrets were rotated. */
async function prepareClients({ testApp, company, operator }: World) {
  const client = await testApp.partner(company.taxId)
  const colleague = await testApp.operatorOf('admin')
  for (const path of [`client/${client.clientId}`, `operator/${colleague.clientId}`])
    expectOk(await operator.post(`/operator/v1/${path}/rotate-secret`))
  const other = await testApp.company()
  return { company, other, client: [client.clientId], colleague: [colleague.clientId] }
}

export const clients = chapter(prepareClients, {
  ...reads(auditor, 'listClients'),
  ...reads(movementRoles, 'listOperators'),
  createClient: write(admin, ['client.created', 'entitlement.granted'], ({ company }) => ({
    body: { name: 'Folha', 'company-tax-ids': [company.taxId] },
  })),
  rotateClientSecret: write(admin, 'client.secret-rotated', ({ client }) => ({ path: client })),
  endFormerClientSecret: write(admin, 'client.former-secret-ended', ({ client }) => ({ path: client })),
  grantCompany: write(admin, 'entitlement.granted', ({ client, other }) => ({ path: [...client, other.taxId] })),
  revokeCompany: write(admin, 'entitlement.revoked', ({ client, company }) => ({ path: [...client, company.taxId] })),
  revokeClient: write(admin, 'client.revoked', ({ client }) => ({ path: client })),
  createOperator: write(admin, 'operator.created', () => ({ body: { name: 'Mesa', role: 'analyst' } })),
  changeOperatorRole: write(admin, ['operator.became-finance', 'operator.role-changed'], ({ colleague }) => {
    const call = { path: colleague, body: { role: 'finance' } }
    return [call, { ...call, audit: [] }]
  }),
  rotateOperatorSecret: write(admin, 'operator.secret-rotated', ({ colleague }) => ({ path: colleague })),
  endFormerOperatorSecret: write(admin, 'operator.former-secret-ended', ({ colleague }) => ({ path: colleague })),
  // The others their own.
  endOperatorSessions: write(admin, 'operator.sessions-ended', ({ colleague }) => ({ path: colleague })),
  removeOperator: write(admin, 'operator.removed', ({ colleague }) => ({ path: colleague })),
})

async function preparePeople({ testApp, company }: World) {
  const of = { role: 'company-hr', 'company-tax-ids': [company.taxId] }
  const [lia, bia, eva] = [
    await invite(testApp, { name: 'Lia', email: 'lia@broker.example', ...of }),
    await invite(testApp, { name: 'Bia', email: 'bia@broker.example', ...of }),
    await invite(testApp, { name: 'Eva', email: 'eva@broker.example', ...of }),
  ]
  expectOk(await testApp.operator.post(`/operator/v1/person/${bia['person-id']}/block`))
  return { company, lia: [lia['person-id']], bia: [bia['person-id']], eva }
}

export const people = chapter(preparePeople, {
  ...reads(auditor, 'listPeople', 'readPerson'),
  createPerson: write(admin, ['entitlement.granted', 'person.created', 'person.link-created'], ({ company }) => ({
    body: { name: 'Ana', email: 'ana@broker.example', role: 'company-hr', 'company-tax-ids': [company.taxId] },
  })),
  createPersonLink: write(admin, 'person.link-created', ({ lia }) => ({ path: lia })),
  changePerson: write(admin, ['person.money-shown', 'person.updated'], ({ lia }) => ({
    path: lia,
    body: { name: 'Lis', 'see-money': true },
  })),
  blockPerson: write(admin, 'person.blocked', ({ lia }) => ({ path: lia })),
  unblockPerson: write(admin, 'person.unblocked', ({ bia }) => ({ path: bia })),
  setPassword: {
    audit: 'person.password-set by person',
    calls: ({ eva }) => ({
      body: { token: linkToken(eva.link), password: 'quatro palavras bem longas' },
      clientId: eva['person-id'],
    }),
  },
})

/** A person with two passkeys, two sessions, and the credential of another passkey. */
async function prepareAccount({ testApp, operator }: World) {
  const { id, email, password } = await personOf(testApp, 'analyst')
  await signInAs(testApp, email, password)
  const { cookie } = await signInAs(testApp, email, password)
  // Browsers have passkeys for `localhost`.
  const origin = 'http://localhost:3000'
  const headers = { cookie, host: 'localhost:3000', ...sameOrigin }
  const call = async (method: string, path: string, body?: unknown): Promise<Json> =>
    expectOk(await testApp.call(method, `/operator/v1/${path}`, { headers, ...(body === undefined ? {} : { body }) }))
      .body?.result
  const newPasskey = async () =>
    makePasskey(origin, await call('POST', 'account/passkey/options', { 'current-password': password }))
  const add = async (name: string) => {
    const passkey = await newPasskey()
    const { 'passkey-id': passkeyId } = await call('POST', 'account/passkey', { name, credential: passkey.created })
    return { passkey, id: passkeyId as string }
  }
  const [first, second] = [await add('Notebook'), await add('Celular')]
  const { created } = await newPasskey()
  const signIn = first.passkey.get(await call('POST', 'session/passkey/options'))
  const { clientId, clientSecret } = operator
  const secret = { 'client-id': clientId, 'client-secret': clientSecret }
  const session = expectOk(await testApp.call('POST', '/operator/v1/session', { body: secret }))
  const ofOperator = session.headers.getSetCookie()[0]?.split(';', 1)[0] ?? ''
  return {
    own: { headers, clientId: id },
    password,
    second: [second.id],
    created,
    signIn,
    operator: { headers: { cookie: ofOperator, ...sameOrigin }, clientId },
    secret,
  }
}

/** Sessions, and the own account of a person. */
export const account = chapter(prepareAccount, {
  ...reads(roles, 'readSession', 'readAccount', 'readMailPreferences', 'readNewPasskeyOptions'),
  putMailPreferences: write(roles, 'person.mail-chosen by person', ({ own }) => ({
    ...own,
    body: { language: 'en', frequencies: [{ kind: 'drafts', frequency: 'never' }] },
  })),
  endOtherSessions: write(roles, 'person.sessions-ended by person', ({ own }) => own),
  changePassword: write(roles, 'person.password-set by person', ({ own, password }) => ({
    ...own,
    body: { 'current-password': password, password: 'outras palavras bem longas' },
  })),
  createPasskey: write(roles, 'person.passkey-added by person', ({ own, created }) => ({
    ...own,
    body: { name: 'Chave', credential: created },
  })),
  deletePasskey: write(roles, 'person.passkey-removed by person', ({ own, second }) => ({ ...own, path: second })),
  createSessionByPasskey: {
    // The cookie of before is sent.
    audit: ['session.created by person', 'session.ended by person'],
    calls: ({ own, signIn }) => ({ ...own, body: { credential: signIn } }),
  },
  createSession: {
    audit: 'session.created by operator',
    calls: ({ secret, operator: { clientId } }) => ({ clientId, body: secret }),
  },
  endSession: write(roles, 'session.ended', ({ operator }) => operator),
})
