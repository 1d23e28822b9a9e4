import { type Client, type Company, expectOk, type Json, type TestApp, until } from './test-app.ts'
import { holder, ndjson, sendImport } from './import.ts'

/* Erasures as two admins do them. */

const path = '/operator/v1/subject-request'

/** A benefit that has ended. */
export const ended = { 'start-date': '2024-03-01', 'end-date': '2026-10-31' }

/** Imports a primary. @returns the CPF. */
export async function imported(testApp: TestApp, company: Company, more: Json = {}): Promise<string> {
  const line = holder(company, more)
  expectOk(await sendImport(testApp.operator, ndjson([line])))
  return line['tax-id']
}

/** Notes a request and makes its plan. @returns the address of the request, and the plan. */
export async function planned(testApp: TestApp, taxId: string): Promise<{ readonly at: string; readonly plan: Json }> {
  const { result } = expectOk(await testApp.operator.post(path, { 'tax-id': taxId, kind: 'erasure' })).body
  const at = `${path}/${result['subject-request-id']}`
  return { at, plan: expectOk(await testApp.operator.post(`${at}/plan`)).body.result }
}

/** The plan of an erasure that is done. */
export const done = async (testApp: TestApp, at: string): Promise<Json> =>
  until(
    async () => expectOk(await testApp.operator.get(`${at}/plan`)).body.result,
    ({ status }) => status.endsWith('fulfilled'),
  )

/** Erases somebody. @returns the plan as it was approved, and as it was done. */
export async function erase(testApp: TestApp, second: Client, taxId: string) {
  const { at, plan } = await planned(testApp, taxId)
  expectOk(await second.post(`${at}/approve`))
  return { at, plan, done: await done(testApp, at) }
}
