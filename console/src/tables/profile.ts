import type { Result } from '@vigencia/client'
import { productNameKey } from '../../../src/kernel/product-name.ts'
import type { Choices } from './mapped-table.ts'

export type Profile = Pick<Result<'readOwnColumnProfile'>, 'columns' | 'values'>

/** The profile of a company with what was said of a file. */
export function profileWith(profile: Profile, { fields, words }: Choices): Profile {
  const headings = new Set([...fields.keys()].map(productNameKey))
  const columns = [
    ...profile.columns.filter(({ heading }) => !headings.has(productNameKey(heading))),
    ...[...fields].flatMap(([heading, field]) => (field === null ? [] : [{ heading, field }])),
  ]
  return { columns, values: [...profile.values, ...words] } as Profile
}
