import type { RequestBody } from '@vigencia/client'
import { api } from '../../api/client.ts'
import type { Company } from './product-values.ts'

/** The company is another than the one that was edited. */
export class ChangedMeanwhileError extends Error {
  readonly current: Company
  /** The last change; null when it is not known. */
  readonly change: { readonly name: string; readonly at: string } | null

  constructor(current: Company, change: ChangedMeanwhileError['change']) {
    super('the company was changed meanwhile')
    this.current = current
    this.change = change
  }
}

/** Replaces a company that is still as it was read. @throws ChangedMeanwhileError when it is not. */
export async function replaceUnchanged(base: Company, body: RequestBody<'putCompany'>): Promise<Company> {
  const taxId = base['tax-id']
  const current = await api.companies.get(taxId)
  if (JSON.stringify(current) !== JSON.stringify(base)) {
    throw new ChangedMeanwhileError(current, await lastChange(taxId))
  }
  return api.companies.put(taxId, body)
}

async function lastChange(taxId: string): Promise<ChangedMeanwhileError['change']> {
  const query = { 'company-tax-id': taxId, action: 'company.replaced', 'items-per-page': 1 }
  const {
    result: [change],
  } = await api.audit.list(query)
  if (change === undefined) return null
  for await (const operator of api.operators.list()) {
    if (operator['client-id'] === change.actor) return { name: operator.name, at: change.at }
  }
  return { name: change.actor, at: change.at }
}
