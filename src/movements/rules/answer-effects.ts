/*
 * The effects of an answer on the movement, on the others that it serves, and on their days.
 */
import { profileKey, REGISTRATION_FIELDS } from './alteration-data.ts'
import { type Answer, type Changes, errorOf, type Value } from './answer.ts'
import type { LocalDate } from '#kernel/calendar.ts'
import type {
  AlterationKind,
  BeneficiaryType,
  DependentType,
  DocumentType,
  EnrollmentStatus,
  MovementKind,
  ScheduledReason,
  StartOption,
} from '#kernel/enums.ts'
import {
  type ExclusionDetails,
  impossibleDays,
  lacksExtensionPlan,
  lacksReasonDetails,
  misplacedDetails,
  missingContinuationItems,
} from '#coverage/rules/exclusion-details.ts'
import type { FieldError } from '#kernel/fields.ts'

/** An open enrollment that an answer serves, or of a dependent whose start follows it. */
export interface ServedEnrollment {
  readonly id: string
  readonly requestId: string
  /** What the client calls it; null: it sent no name. */
  readonly reference: string | null
  readonly enrollmentType: MovementKind
  readonly alterationKind: AlterationKind | null
  readonly status: EnrollmentStatus
  /** For a pending enrollment: the status of the queue that it came from. */
  readonly queueStatus: EnrollmentStatus
  /** For a pending enrollment: what it waits for. */
  readonly pendingItems: readonly PendingItem[]
  readonly memberId: string
  readonly memberType: BeneficiaryType
  /** Only for a dependent. */
  readonly dependentType: DependentType | null
  readonly benefitId: string
  /** The start date of the benefit. */
  readonly startDate: LocalDate
  readonly startOption: StartOption | null
  readonly allowedDependentTypes: readonly string[]
  /** For a dependent: whether an extension plan keeps the primary's benefit, or is to keep it. */
  readonly isPrimaryKept: boolean
  /** For an exclusion: the contract needs the items of RN 488. */
  readonly isContributory: boolean
  readonly isTransfer: boolean
  /** For an exclusion: it asked for an extension plan, to which there was no right. */
  readonly isExtensionRefused: boolean
  /** Completing it changes the profile. */
  readonly updatesProfile: boolean
  /** The enrollment is of another person: a dependent whose inclusion starts on the admission date of the person. */
  readonly isFollower: boolean
  /** Registration data of the request that a completed part has applied already. */
  readonly isApplied: boolean
  readonly data: Readonly<Record<string, unknown>>
  readonly scheduledActionDate: LocalDate | null
  readonly scheduledReason: ScheduledReason | null
}

export interface CorrectedEnrollment {
  readonly enrollment: ServedEnrollment
  readonly data: Readonly<Record<string, unknown>>
  /** For an inclusion: the new start of the benefit; null: unchanged. */
  readonly startDate: LocalDate | null
  /** For an exclusion or an alteration: the new day; null: unchanged. */
  readonly effectiveDate: LocalDate | null
  readonly scheduledActionDate: LocalDate | null
  readonly scheduledReason: ScheduledReason | null
}

/** Something that a pending enrollment waits for; `any-of` and `requirement` of a rule of required documents. */
export interface PendingItem {
  readonly kind: 'document' | 'field'
  readonly 'document-type'?: DocumentType
  readonly field?: string
  readonly message: string
  readonly 'any-of'?: readonly DocumentType[]
  readonly requirement?: number
}

/** What is wrong with the new values, judged with the movement as it would be then. */
export function judgeChanges(
  { values }: Changes,
  answered: ServedEnrollment,
  served: readonly ServedEnrollment[],
  today: LocalDate,
): FieldError[] {
  switch (answered.enrollmentType) {
    case 'inclusion':
      return judgeInclusion(values, served)
    case 'exclusion':
      return judgeExclusion(values, answered, today)
    case 'alteration': {
      const start = values.get('requested-start-date')
      const isEarly = served.some(
        ({ isTransfer, startDate }) => isTransfer && typeof start === 'string' && start < startDate,
      )
      return isEarly ? [errorOf('requested-start-date', 'before-start-date')] : []
    }
    default:
      return answered.enrollmentType satisfies never
  }
}

function judgeInclusion(values: Changes['values'], served: readonly ServedEnrollment[]): FieldError[] {
  const errors: FieldError[] = []
  const own = served.filter(({ isFollower }) => !isFollower)
  const dependents = own.filter(({ memberType }) => memberType === 'dependent')
  const type = values.get('dependent-type')
  if (type !== undefined) {
    if (dependents.length === 0) errors.push(errorOf('dependent-type', 'not-applicable'))
    else if (type === null) errors.push(errorOf('dependent-type', 'missing'))
    else if (dependents.some(({ allowedDependentTypes }) => !allowedDependentTypes.includes(String(type))))
      errors.push(errorOf('dependent-type', 'dependent-type-not-allowed'))
  }
  const admission = values.get('admission-date')
  if (admission !== undefined && dependents.length === own.length)
    errors.push(errorOf('admission-date', 'not-applicable'))
  else if (admission === null && served.some(startsOnAdmission)) errors.push(errorOf('admission-date', 'missing'))
  return errors
}

/** Whether the inclusion starts on the admission date of the person who answers for it; a dependent's follows the primary's. */
function startsOnAdmission({ startOption, memberType, isFollower }: ServedEnrollment): boolean {
  return startOption === 'on-admission-date' && (memberType === 'primary' || isFollower)
}

function judgeExclusion(values: Changes['values'], answered: ServedEnrollment, today: LocalDate): FieldError[] {
  const details = detailsOf(answered, values)
  const errors: FieldError[] = []
  if (lacksReasonDetails(details)) errors.push(errorOf('exclusion-reason-details', 'missing'))
  if (lacksExtensionPlan(details)) errors.push(errorOf('extension-plan', 'not-applicable'))
  for (const field of misplacedDetails(details)) errors.push(errorOf(field, 'not-applicable'))
  const needed = answered.isContributory ? missingContinuationItems(details) : []
  // What lacks from before is not asked for by an answer to something else.
  for (const field of needed.filter((name) => values.has(name) || values.has('exclusion-reason')))
    errors.push(errorOf(field, 'required-by-contract'))
  // What was sent before is not judged again.
  const isChanged = (field: string) => values.has(field) || (field === 'option-date' && values.has('notice-date'))
  for (const error of impossibleDays(details, today).filter(({ field }) => isChanged(field)))
    errors.push({ ...error, field: `data.${error.field}` })
  if (values.has('end-date') && details['end-date'] < answered.startDate)
    errors.push(errorOf('end-date', 'before-start-date'))
  if (values.get('extension-plan') === true && answered.memberType === 'dependent' && !answered.isPrimaryKept)
    errors.push(errorOf('extension-plan', 'primary-not-kept'))
  return errors
}

/** The details as they are asked for: whether the extension plan is refused is judged again. */
function detailsOf(
  { data, isExtensionRefused }: ServedEnrollment,
  values: Changes['values'],
): Omit<ExclusionDetails, 'documents'> {
  const asked = isExtensionRefused ? { 'extension-plan': true } : {}
  const details = { ...recordOf(data['exclusion-details']), ...asked, ...Object.fromEntries(values) }
  return { ...details, 'extension-plan': details['extension-plan'] === true } as unknown as Omit<
    ExclusionDetails,
    'documents'
  >
}

/**
 * The enrollments as an accepted answer leaves them: data and documents of all that it serves, and their days, scheduled again.
 * @returns only those that change.
 */
export function correct(
  { documents }: Answer,
  { values }: Changes,
  served: readonly ServedEnrollment[],
  today: LocalDate,
): CorrectedEnrollment[] {
  if (documents.length === 0 && values.size === 0) return []
  return served.flatMap((enrollment) => {
    if (enrollment.isFollower && !values.has('admission-date')) return []
    const data = enrollment.isFollower ? enrollment.data : correctedData(enrollment, values, documents)
    return [{ enrollment, data, ...correctedDays(enrollment, values, today) }]
  })
}

type Days = Omit<CorrectedEnrollment, 'enrollment' | 'data'>

function correctedDays(enrollment: ServedEnrollment, values: Changes['values'], today: LocalDate): Days {
  const { scheduledActionDate, scheduledReason } = enrollment
  const unchanged = { startDate: null, effectiveDate: null, scheduledActionDate, scheduledReason }
  const dayOf = (key: string) => (values.get(key) ?? null) as LocalDate | null
  const schedule = (day: LocalDate, reason: ScheduledReason) =>
    day > today
      ? { scheduledActionDate: day, scheduledReason: reason }
      : { scheduledActionDate: null, scheduledReason: null }
  switch (enrollment.enrollmentType) {
    case 'inclusion': {
      const startDate = startsOnAdmission(enrollment) ? dayOf('admission-date') : null
      return startDate === null
        ? unchanged
        : { ...unchanged, startDate, ...schedule(startDate, 'future-admission-date') }
    }
    case 'exclusion': {
      const day = dayOf('end-date')
      return day === null ? unchanged : { ...unchanged, effectiveDate: day, ...schedule(day, 'future-end-date') }
    }
    case 'alteration': {
      const day = dayOf('requested-start-date')
      return day === null
        ? unchanged
        : { ...unchanged, effectiveDate: day, ...schedule(day, 'future-requested-start-date') }
    }
    default:
      return enrollment.enrollmentType satisfies never
  }
}

function correctedData(
  enrollment: ServedEnrollment,
  values: Changes['values'],
  documents: Answer['documents'],
): Record<string, unknown> {
  const { enrollmentType, data } = enrollment
  const all = { documents: [...((data['documents'] ?? []) as unknown[]), ...documents] }
  switch (enrollmentType) {
    case 'inclusion':
      return { ...merged(data, profileChanges(values, enrollment.memberType)), ...all }
    case 'exclusion':
      return { ...data, 'exclusion-details': detailsOf(enrollment, values), ...all }
    case 'alteration': {
      const registration = registrationChanges(values)
      // Once applied, only what is corrected is applied again.
      const former = enrollment.isApplied ? {} : recordOf(data['registration'])
      return {
        ...data,
        'alteration-data': { ...recordOf(data['alteration-data']), ...Object.fromEntries(values) },
        ...(Object.keys(registration).length > 0 ? { registration: { ...former, ...registration } } : {}),
        ...all,
      }
    }
    default:
      return enrollmentType satisfies never
  }
}

/** The changed registration data of the person of an inclusion; null for values that are removed. */
export function profileChanges(values: Changes['values'], role: BeneficiaryType): Record<string, Value | null> {
  const ofOther = role === 'dependent' ? 'admission-date' : null
  return Object.fromEntries([...values].filter(([key]) => key !== 'dependent-type' && key !== ofOther))
}

/** The changed registration data of an alteration, under the keys of the profile. */
export function registrationChanges(values: Changes['values']): Record<string, Value | null> {
  const changed = [...values].filter(([key]) => Object.hasOwn(REGISTRATION_FIELDS, key))
  return Object.fromEntries(changed.map(([key, value]) => [profileKey(key), value]))
}

function merged(data: Readonly<Record<string, unknown>>, changes: Readonly<Record<string, Value | null>>) {
  return Object.fromEntries(Object.entries({ ...data, ...changes }).filter(([, value]) => value !== null))
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
