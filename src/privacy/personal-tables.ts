import { personalData as platform } from '#platform/personal-data.ts'
import { personalData as access } from '#access/personal-data.ts'
import { personalData as registry } from '#registry/personal-data.ts'
import { personalData as events } from '#events/personal-data.ts'
import { personalData as coverage } from '#coverage/personal-data.ts'
import { personalData as movements } from '#movements/personal-data.ts'
import { personalData as exchange } from '#exchange/personal-data.ts'
import { personalData as money } from '#money/personal-data.ts'
import type { PersonalRows, PersonalTable, TextColumns } from '#platform/core/personal-data.ts'
import { personalData as privacy } from './personal-data.ts'

/** The tables of all districts. Tests compare them with the database. */
const personalTables = {
  ...coverage,
  ...movements,
  ...exchange,
  ...money,
  ...registry,
  ...events,
  ...access,
  ...platform,
  ...privacy,
}
type Tables = typeof personalTables

export type StoredTable = keyof Tables
export const storedTables = Object.keys(personalTables) as StoredTable[]

/** The tables with rows in the copy of a person's data. */
export type CopiedTable = { [Table in StoredTable]: Tables[Table]['copy'] extends string ? never : Table }[StoredTable]

const isCopied = (table: StoredTable): table is CopiedTable => typeof personalTables[table].copy !== 'string'

/** What the copy of a person's data has of each table, in its order. */
export const copiedTables: readonly (readonly [CopiedTable, PersonalRows])[] = storedTables
  .filter(isCopied)
  .map((table) => [table, personalTables[table].copy])

/** The tables whose rows are of the person, or have columns that are. */
export type ErasedTable = {
  [Table in StoredTable]: Tables[Table] extends { readonly erased: string } ? Table : never
}[StoredTable]

/** What is changed where it names the person. */
export const searchedTreatments = ['searched', 'searchedForCpf', 'replaced', 'replacedOfPeople'] as const

/** The columns of a table with this treatment. */
export function columnsOf(table: StoredTable, treatment: keyof TextColumns): string[] {
  const columns: PersonalTable = personalTables[table]
  return columns[treatment]?.split(' ') ?? []
}
