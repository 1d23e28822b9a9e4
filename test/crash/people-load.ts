import { randomUUID } from 'node:crypto'
import { approve, invitationBody, invited, type Link, openPage, submissionOf } from '../world/onboarding.ts'
import { subjectPath } from '../world/subject-data.ts'
import { type Client, expectOk, type Json, type TestApp, until, primary } from '../world/test-app.ts'
import { finished, type LoadTarget, type Stored } from './mixed-load.ts'

/* An employee comes by an onboarding link and asks for a copy of the own data; another person, who was refused, is erased. */

/** What the people of a round did, each once. */
export interface StoredPeople {
  /** The CPF of who was approved. */
  readonly taxId: string
  readonly invitationId: string
  readonly accessId: string
  /** The CPF of who was erased. */
  readonly erased: string
  readonly erasureId: string
}

/** The steps, one after the other; a call whose response was lost may have done its work. */
export function peopleSteps(target: LoadTarget, stored: Stored): (() => Promise<unknown>)[] {
  const { client, tenant } = target
  const company = { id: '', taxId: tenant.companyTaxId, products: tenant.productIds }
  const hr: Pick<Client, 'get' | 'post'> = {
    get: (path) => client.send('partner', 'GET', path),
    post: (path, body) => client.post(path, body),
  }
  const anybody: Pick<TestApp, 'call'> = { call: (method, path, options) => client.send(null, method, path, options) }
  const post = (url: string, body?: Json, token = tenant.operatorToken) =>
    client.send('operator', 'POST', `${subjectPath}/${url}`, { token, ...(body === undefined ? {} : { body }) })
  const read = async (id: string): Promise<Json> =>
    expectOk(await client.send('operator', 'GET', `${subjectPath}/${id}`)).body.result
  const request = async (taxId: string, kind: string): Promise<string> => {
    const body = { 'tax-id': taxId, kind }
    const made = await client.send('operator', 'POST', subjectPath, { body })
    const isOpen = made.body.code === 'subject-request-open'
    return isOpen ? made.body['subject-request-id'] : expectOk(made).body.result['subject-request-id']
  }
  /** Done by this call or by an earlier one whose response was lost. */
  const move = async (id: string, url: string, body: Json, done: readonly string[], token?: string) => {
    const moved = await post(`${id}/${url}`, body, token)
    if (moved.status !== 409 || !done.includes((await read(id)).status)) expectOk(moved)
  }
  let link: Link = { id: '', token: '', body: {} }
  const known = { accessId: '', erased: '', erasureId: '' }
  return [
    async () => void (link = await invited(hr, invitationBody(company))),
    async () => {
      const page = await openPage(anybody, link)
      await page.upload()
      expectOk(await page.submit(submissionOf(link)))
    },
    async () => void (await finished(target, expectOk(await approve(hr, link)).body['request-id'])),
    async () => {
      known.accessId = await request(link.body['tax-id'], 'access')
      expectOk(await post(`${known.accessId}/file`))
      await until(
        () => read(known.accessId),
        ({ file }) => file.status === 'ready',
      )
      expectOk(await client.send('operator', 'GET', `${subjectPath}/${known.accessId}/file`))
      await move(known.accessId, 'status', { status: 'fulfilled' }, ['fulfilled'])
    },
    async () => {
      const refused = primary()
      known.erased = refused['tax-id']
      const body = { 'company-tax-id': tenant.companyTaxId, members: [refused] }
      const headers = { 'idempotency-key': randomUUID() }
      const path = '/v1/enrollment/inclusion?resolution=reject'
      // Neither a batch nor a keyed call: nothing of it is left, its response neither.
      const included = await client.send('partner', 'POST', path, { body, headers })
      await finished(target, expectOk(included).body['request-id'])
      known.erasureId = await request(known.erased, 'erasure')
      await move(known.erasureId, 'plan', undefined, [])
      await move(known.erasureId, 'approve', undefined, ['approved', 'fulfilled'], await otherAdmin(target))
    },
    async () => {
      await until(
        () => read(known.erasureId),
        ({ status }) => status === 'fulfilled',
      )
      stored.people.push({ taxId: link.body['tax-id'], invitationId: link.id, ...known })
    },
  ]
}

/** Who approves an erasure is not who planned it. @returns the token. */
async function otherAdmin({ client }: LoadTarget): Promise<string> {
  const body = { name: `Encarregada ${randomUUID()}`, role: 'admin' }
  const made = expectOk(await client.send('operator', 'POST', '/operator/v1/operator', { body })).body
  const secret = { 'client-id': made['client-id'], 'client-secret': made['client-secret'] }
  return expectOk(await client.send(null, 'POST', '/v1/authenticate', { body: secret })).body['access-token']
}
