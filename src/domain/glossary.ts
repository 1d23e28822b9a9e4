/*
 * The fields and parameters of the API: the one table behind the glossaries of the documentation, the Portuguese headers of an import and the
 * field names in Portuguese messages. A test holds that no field of openapi.json is missing.
 */
import { MOVEMENT_TERMS } from './glossary-movements.ts'
import { PEOPLE_TERMS } from './glossary-people.ts'
import { SERVICE_TERMS } from './glossary-service.ts'

/** A field by its wire name. */
export interface GlossaryEntry {
  /** In Brazilian Portuguese, as HR and benefits departments write it. */
  readonly term: string
  /** In Portuguese, for users without knowledge of programming. */
  readonly meaning: string
  /** In English; absent where openapi.json describes the field once. */
  readonly en?: string
  /** The law or regulation that defines it. */
  readonly norm?: string
}

export const GLOSSARY = { ...PEOPLE_TERMS, ...MOVEMENT_TERMS, ...SERVICE_TERMS } as const

export type GlossaryField = keyof typeof GLOSSARY

/** The Portuguese term of a field; undefined for a name that is none. */
export function termOf(name: string): string | undefined {
  return Object.hasOwn(GLOSSARY, name) ? GLOSSARY[name as GlossaryField].term : undefined
}
