import { primary } from '../data/people.ts'
import { makePasskey } from '../world/authenticator.ts'
import { sameOrigin } from '../world/person.ts'
import { publicUrl } from './world.ts'
import { makeFamily, type Run } from './sequence.ts'
import type { FuzzResponse } from './send.ts'

const cookieOf = ({ headers }: FuzzResponse): string => headers.getSetCookie()[0]?.split(';', 1)[0] ?? ''

/** A person sets a password by the link, adds a passkey, signs in with it and removes it. */
export async function signIn(run: Run): Promise<void> {
  const email = `pessoa.${run.rng.between(1_000, 1_000_000_000)}@quimera.example`
  const made = await run.send('createPerson', { body: { name: 'Ana Prado', email, role: 'analyst' } })
  const path = [made['person-id']]
  const { link } = await run.send('createPersonLink', { path })
  const token = String(link).split('#')[1]
  await run.send('readPersonLink', { body: { token } })
  const [first, second] = ['quatro palavras bem longas', 'outras palavras bem longas']
  await run.send('setPassword', { body: { token, password: first } })
  const anybody = { headers: sameOrigin }
  const session = await run.exchange('createSession', { ...anybody, body: { email, password: first } })
  const own = { actor: null, headers: { cookie: cookieOf(session), ...sameOrigin } }
  await run.send('changePassword', { ...own, body: { 'current-password': first, password: second } })
  const options = await run.send('readNewPasskeyOptions', { ...own, body: { 'current-password': second } })
  const passkey = makePasskey(publicUrl, options.result)
  await run.send('createPasskey', { ...own, body: { name: 'Notebook', credential: passkey.created } })
  const { result: challenge } = await run.send('readPasskeyOptions', anybody)
  const body = { credential: passkey.get(challenge) }
  const other = await run.exchange('createSessionByPasskey', { ...anybody, body })
  const { result } = await run.send('readAccount', own)
  await run.send('deletePasskey', { ...own, path: [result.passkeys[0]['passkey-id']] })
  await run.send('endSession', { actor: null, headers: { cookie: cookieOf(other), ...sameOrigin } })
  await run.send('changePerson', { path, body: { role: 'finance' } })
}

/** A client gets another secret and another company, and loses both. */
export async function changeClient(run: Run): Promise<void> {
  const { companyTaxId } = run
  const made = await run.send('createClient', { body: { name: 'Folha Aurora', 'company-tax-ids': [] } })
  const path = [made['client-id']]
  await run.send('rotateClientSecret', { path })
  await run.send('endFormerClientSecret', { path })
  await run.send('grantCompany', { path: [...path, companyTaxId] })
  await run.send('revokeCompany', { path: [...path, companyTaxId] })
}

/** An event is sent to an endpoint again. */
export async function redeliver(run: Run): Promise<void> {
  const { result } = await run.send('createWebhookEndpoint', { body: { url: run.world.webhookUrls.valid[0] } })
  await makeFamily(run)
  const { result: events } = await run.send('listWebhookEvents')
  const path = [events[0]?.id ?? events[0]?.['webhook-event-id']]
  const endpoint = result?.['webhook-endpoint-id'] ?? result?.id
  await run.send('redeliverAnyWebhookEvent', { path, body: { 'webhook-endpoint-id': endpoint } })
}

/** A copy of the data of a person; then what is left of somebody who was refused is erased. */
export async function serveSubject(run: Run): Promise<void> {
  const { cpf } = await makeFamily(run)
  const copy = await run.send('createSubjectRequest', { body: { 'tax-id': cpf, kind: 'access' } })
  const path = [copy.result['subject-request-id']]
  await run.send('requestSubjectRequestFile', { path })
  await run.until('readSubjectRequest', { path }, ({ result }) => result.file?.status === 'ready')
  await run.send('readSubjectRequestFile', { path })
  await run.send('moveSubjectRequest', { path, body: { status: 'fulfilled' } })
  const refused = primary({ 'tax-id': run.cpf() })
  const batch = { 'company-tax-id': run.companyTaxId, members: [refused] }
  await run.finished(await run.send('includeMembers', { query: { resolution: 'reject' }, body: batch }))
  const erasure = await run.send('createSubjectRequest', { body: { 'tax-id': refused['tax-id'], kind: 'erasure' } })
  const erased = [erasure.result['subject-request-id']]
  await run.send('planErasure', { path: erased })
  await run.send('approveErasure', { path: erased, actor: run.actor('operator', 'ADMIN_2_TOKEN') })
  await run.until('readSubjectRequest', { path: erased }, ({ result }) => result.status === 'fulfilled')
}
