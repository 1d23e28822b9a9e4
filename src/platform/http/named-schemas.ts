import { isDeepStrictEqual } from 'node:util'
import * as sets from '#kernel/enums.ts'
import { EVENT_TYPES } from '#kernel/events.ts'
import { INVOICE_FILE_STATUSES, INVOICE_FILE_TYPES, INVOICE_STATUSES } from '#kernel/enums.ts'
import { OFFENSES } from '#kernel/offenses.ts'
import { InvariantError } from '../core/log.ts'

/** The closed sets that the document names. */
const closedSets: Readonly<Record<string, readonly string[]>> = {
  ActorKind: sets.ACTOR_KINDS,
  AlterationKind: sets.ALTERATION_KINDS,
  BeneficiaryType: sets.BENEFICIARY_TYPES,
  BenefitStatus: sets.BENEFIT_STATUSES,
  DependentType: sets.DEPENDENT_TYPES,
  DetailCode: sets.DETAIL_CODES,
  DocumentType: sets.DOCUMENT_TYPES,
  EnrollmentStatus: sets.ENROLLMENT_STATUSES,
  EventType: EVENT_TYPES,
  ExclusionReason: sets.EXCLUSION_REASONS,
  Gender: sets.GENDERS,
  InvoiceFileStatus: INVOICE_FILE_STATUSES,
  InvoiceFileType: INVOICE_FILE_TYPES,
  InvoiceStatus: INVOICE_STATUSES,
  Offense: OFFENSES,
  PartStatus: sets.PART_STATUSES,
  PersonRole: sets.PERSON_ROLES,
  PersonStatus: sets.PERSON_STATUSES,
  RequestStatus: sets.REQUEST_STATUSES,
  RequestType: sets.MOVEMENT_KINDS,
  Resolution: sets.RESOLUTIONS,
  Role: sets.ROLES,
  ScheduledReason: sets.SCHEDULED_REASONS,
  StartOption: sets.START_OPTIONS,
  State: sets.STATES,
  WorkContractType: sets.WORK_CONTRACT_TYPES,
}

const nameOfSet = new Map(Object.entries(closedSets).map(([name, values]) => [JSON.stringify(values), name]))

/** Moves every schema with a title, and every closed set, to the named schemas, and puts a reference in its place. */
export function withReferences<T>(part: T, schemas: Record<string, unknown>): T {
  if (Array.isArray(part)) return part.map((one) => withReferences(one, schemas)) as T
  if (typeof part !== 'object' || part === null) return part
  const entries = Object.entries(part).map(([key, value]) => [
    key,
    key === 'example' || key === 'examples' ? value : withReferences<unknown>(value, schemas),
  ])
  const { title, ...schema } = Object.fromEntries(entries) as { title?: unknown; type?: string; enum?: unknown }
  const set = schema.type === 'string' ? nameOfSet.get(JSON.stringify(schema.enum)) : undefined
  if (set !== undefined) {
    const { type, enum: values, ...others } = schema
    return { ...reference(set, { type, enum: values }, schemas), ...others } as T
  }
  if (typeof title !== 'string' || schema.type !== 'object') return Object.fromEntries(entries) as T
  return reference(title, schema, schemas) as T
}

/** Names a schema. @returns the reference to it. */
function reference(name: string, schema: object, schemas: Record<string, unknown>): { $ref: string } {
  const known = schemas[name]
  if (known !== undefined && !isDeepStrictEqual(known, schema)) {
    throw new InvariantError(`two different schemas are named ${name} in the OpenAPI document`)
  }
  schemas[name] = schema
  return { $ref: `#/components/schemas/${name}` }
}
