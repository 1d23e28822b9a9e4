import type { MovementClient } from '../movement-forms/client.ts'
import { companyApi } from './client.ts'

const { inclusions, exclusions, alterations, documents, operations } = companyApi

/** The movements of the people of companies: the partner API. */
export const companyMovements: MovementClient = {
  include: (body, options) => inclusions.create(body, options),
  exclude: (body, options) => exclusions.create(body, options),
  alter: (body, options) => alterations.create(body, options),
  upload: (file) => documents.upload(file),
  listRequirements: async (query, options) => (await operations.request('listRequirements', { query, options })).result,
  readMember: async (id, options) => (await operations.request('readMember', { path: [id], options })).result,
}
