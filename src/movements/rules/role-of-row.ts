/* Who is a primary and who a dependent, in files with one column for role and kinship, or with none. */
import { DEPENDENT_TYPES } from '#kernel/enums.ts'
import { importColumnOf } from './import-columns.ts'

type Fields = Readonly<Record<string, unknown>>

const parsed = (column: 'beneficiary-type' | 'dependent-type', word: unknown) =>
  typeof word === 'string' ? importColumnOf(column)?.parse(word) : undefined
const isKinship = (value: unknown): boolean => DEPENDENT_TYPES.some((type) => type === value)

/**
 * The fields of a row with its role: `Titular` in the column of kinship is a primary, a kinship in the column of the role a dependent. In a file without
 * that column it follows from the kinship, else from whether the CPF of the primary is empty.
 * @param columns the names of the columns that the file has.
 */
export function withRole(fields: Fields, columns: ReadonlySet<string>): Fields {
  const { 'beneficiary-type': role, 'dependent-type': kinship, ...others } = fields
  if (parsed('beneficiary-type', kinship) === 'primary') return { ...others, 'beneficiary-type': role ?? 'primary' }
  const kinshipOfRole = parsed('dependent-type', role)
  if (isKinship(kinshipOfRole)) {
    return { ...others, 'beneficiary-type': 'dependent', 'dependent-type': kinship ?? kinshipOfRole }
  }
  if (columns.has('beneficiary-type')) return fields
  if (isKinship(kinship)) return { ...fields, 'beneficiary-type': 'dependent' }
  if (!columns.has('primary-member-tax-id')) return fields
  return { ...fields, 'beneficiary-type': others['primary-member-tax-id'] === undefined ? 'primary' : 'dependent' }
}
