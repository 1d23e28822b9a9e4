/* The values of movements as layouts read them, of what the database has of them: without I/O. */
import { addDays } from '#kernel/calendar.ts'
import type { AlterationKind, BeneficiaryType, MovementKind } from '#kernel/enums.ts'
import { type ExclusionDetails, FIELDS_OF_REASONS } from '#coverage/rules/exclusion-details.ts'
import type { ItemSide } from '#kernel/broker-enums.ts'
import { REGISTRATION } from '#registry/rules/layout-fields.ts'
import type { MovementRecord, SourceValues } from '#registry/layouts/types.ts'

/** The values of one subject, under the names of the fields of a layout or the keys of registration data. */
export type Values = Readonly<Record<string, string | number | boolean | null>>

interface MovementRow {
  readonly id: string
  readonly familyId: string
  readonly benefitId: string | null
  readonly kind: MovementKind
  readonly beneficiaryType: BeneficiaryType
  /** Only for an act of an operator. */
  readonly alterationKind: AlterationKind | null
  /** What becomes of the benefit by an alteration. */
  readonly alterationType: 'registration' | 'plan' | 'company'
  readonly data: Readonly<Record<string, unknown>>
  /** null: the person has not become a member. */
  readonly registered: Values | null
  readonly relationship: string | null
  /** For a change of company, or of plan to another contract: in the shipment of which it is read. */
  readonly side: ItemSide | null
  readonly startDate: string | null
  readonly effectiveDate: string | null
  readonly movement: Values
  readonly primary: Values
  readonly contract: Values
  readonly plan: Values
  readonly destination: Values | null
  readonly benefit: Values
}

/** The contract of another company that a movement joins. */
export interface JoinedContract {
  readonly contract: Values
  readonly plan: Values
}

/** A movement as its statement has it, and where a change of company goes to. */
export interface StoredMovement {
  /** A `MovementRow` as JSON: it is parsed where it is read, for thousands in a thread. */
  readonly row: string
  /** Those of the dependents who move along. */
  readonly dependents: readonly string[]
  readonly destination: Values | null
  /** null: its contract is of its company. */
  readonly joins: JoinedContract | null
}

export function movementRecord({ row: json, dependents, destination, joins }: StoredMovement): MovementRecord {
  const read = (text: string) => {
    const stored = JSON.parse(text) as MovementRow
    const row = joins === null ? stored : { ...stored, contract: joins.contract, destination: joins.plan }
    return { row, values: { ...valuesOf(row), ...under('destination', destination ?? contractTransfer(row)) } }
  }
  const { row, values } = read(json)
  const moving = dependents
    .map(read)
    .map((dependent) => ({ benefitId: dependent.row.benefitId ?? '', values: dependent.values }))
  return { enrollmentId: row.id, familyId: row.familyId, values, ...(moving.length > 0 && { dependents: moving }) }
}

/** A transfer stays in its contract. */
function contractTransfer({ alterationKind, data, contract }: MovementRow): Values {
  if (alterationKind !== 'contract-transfer') return {}
  const { 'sub-contract': subContract } = data['alteration-data'] as Values
  return {
    'company-tax-id': contract['company-tax-id'] ?? null,
    'company-name': contract['company-name'] ?? null,
    'contract-number': contract['contract-number'] ?? null,
    'sub-contract': subContract ?? contract['sub-contract'] ?? null,
  }
}

const current = { person: 'person', registration: 'registration', address: 'address', bank: 'bank' } as const
const former = { person: 'former', registration: 'former', address: null, bank: null } as const
const changed = {
  person: 'changed',
  registration: 'changed',
  address: 'changed-address',
  bank: 'changed-bank',
} as const

/** A side is an inclusion, or an exclusion, for the carrier that reads it. */
function sideValues({ side, alterationType, effectiveDate, benefit }: MovementRow): Values {
  const day = effectiveDate ?? ''
  if (side === 'joining') return { kind: 'inclusion', 'start-date': day }
  const dayBefore = day === '' ? null : addDays(day, -1)
  return {
    kind: 'exclusion',
    'end-date': benefit['end-date'] ?? dayBefore,
    'start-date': null,
    'exclusion-reason': 'other',
    reason: alterationType === 'company' ? 'Mudança para outra empresa' : 'Mudança para outra operadora',
  }
}

function valuesOf(row: MovementRow): SourceValues {
  const { data, alterationType, side } = row
  const { kind } = row
  const changes: Readonly<Record<MovementKind, Values>> = {
    inclusion: data as Values,
    exclusion: {},
    alteration: (data['registration'] ?? {}) as Values,
  }
  const registered = row.registered ?? {}
  const isAlteration = kind === 'alteration' && side === null
  const destination = side === 'leaving' ? row.plan : (row.destination ?? row.plan)
  const isPlanChange = isAlteration && row.destination !== null
  return {
    ...registrationValues({ ...registered, ...changes[kind] }, current),
    ...(isAlteration ? registrationValues(registered, former) : {}),
    ...(isAlteration ? registrationValues(changes.alteration, changed) : {}),
    ...under('movement', {
      ...row.movement,
      ...movementValues(row),
      ...(side === null ? {} : sideValues(row)),
      ...(isAlteration ? { 'alteration-type': alterationType } : {}),
    }),
    ...under('person', { relationship: row.relationship ?? 'primary' }),
    ...under('dependent', {
      name: row.beneficiaryType === 'dependent' ? (changes[kind]['name'] ?? registered['name'] ?? null) : null,
    }),
    ...under('primary', side === 'joining' ? { ...row.primary, 'card-number': null } : row.primary),
    ...under('contract', row.contract),
    ...under('plan', destination),
    ...(isPlanChange ? { ...under('former-plan', row.plan), ...under('changed-plan', destination) } : {}),
    // The new carrier knows nothing of the former benefit.
    ...(side === 'joining' ? {} : under('benefit', row.benefit)),
  }
}

/** Its dates and reasons. */
function movementValues(row: MovementRow): Values {
  const { id, kind, alterationKind, beneficiaryType, data, startDate, effectiveDate } = row
  const shared = { 'enrollment-id': id, 'beneficiary-type': beneficiaryType }
  switch (kind) {
    case 'inclusion':
      return { ...shared, kind, 'start-date': startDate }
    case 'exclusion': {
      const details = data['exclusion-details'] as Partial<ExclusionDetails>
      const continuation = FIELDS_OF_REASONS.map((field) => [field, details[field] ?? null])
      return {
        ...shared,
        kind,
        'end-date': effectiveDate,
        'exclusion-reason': details['exclusion-reason'] ?? null,
        reason: details['exclusion-reason-details'] ?? null,
        'extension-plan': details['extension-plan'] ?? null,
        ...(Object.fromEntries(continuation) as Values),
        'continuation-ground': (details.contributed ?? null) === null ? null : (details['exclusion-reason'] ?? null),
      }
    }
    case 'alteration': {
      const sent = (data['alteration-data'] ?? {}) as Values
      return {
        ...shared,
        kind: alterationKind ?? kind,
        'start-date': effectiveDate,
        reason: sent['reason'] ?? null,
        'second-card-reason': alterationKind === 'second-card' ? (sent['reason'] ?? null) : null,
        'sub-contract': sent['sub-contract'] ?? null,
      }
    }
    default:
      return kind satisfies never
  }
}

/** @param subjectOf the subject of the sources for that of registration data; null: they have none. */
function registrationValues(
  data: Values,
  subjectOf: Readonly<Record<keyof typeof REGISTRATION, string | null>>,
): Record<string, string> {
  const values = Object.entries(subjectOf).map(([name, subject]) => {
    if (subject === null) return {}
    const fields = Object.keys(REGISTRATION[name as keyof typeof REGISTRATION])
    return under(subject, Object.fromEntries(fields.map((field) => [field, data[keyOf(name, field)] ?? null])))
  })
  return Object.assign({}, ...values) as Record<string, string>
}

/** The key of registration data. */
function keyOf(subject: string, field: string): string {
  if (field === 'ibge-code') return 'city-ibge-code'
  return subject === 'address' || subject === 'bank' ? `${subject}-${field}` : field
}

/** The values that are there, under the names `subject.name`. */
export function under(subject: string, values: Values): Record<string, string> {
  const found = Object.entries(values).filter(([, value]) => value !== null && value !== '')
  return Object.fromEntries(found.map(([name, value]) => [`${subject}.${name}`, String(value)]))
}
