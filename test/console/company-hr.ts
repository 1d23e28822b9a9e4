import { type Browser, personOf, signInAs } from '../world/person.ts'
import { expectOk, type TestApp } from '../world/test-app.ts'

/* The people of companies, signed in. */

/** A person of the companies. @param options.seesMoney whether the person sees their invoices. */
export async function hrOf(
  app: TestApp,
  companyTaxIds: readonly string[],
  { seesMoney = false }: { readonly seesMoney?: boolean } = {},
): Promise<Browser & { readonly id: string }> {
  const { id, email, password } = await personOf(app, 'company-hr', ...companyTaxIds)
  const body = { 'see-money': true }
  if (seesMoney) expectOk(await app.call('PATCH', `/operator/v1/person/${id}`, { token: app.operator.token, body }))
  return { ...(await signInAs(app, email, password)), id }
}
