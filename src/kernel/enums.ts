// The closed sets of the contract. Each is the single source of its type, its schema and the order of its values.

export const BENEFICIARY_TYPES = ['primary', 'dependent'] as const
export type BeneficiaryType = (typeof BENEFICIARY_TYPES)[number]

/** The product types known by name; the set is open, a company may have others. */
export const PRODUCT_TYPES = [
  'health-insurance',
  'dental-insurance',
  'life-insurance',
  'pharmacy',
  'fitness',
  'mental-health',
  'private-pension',
  'other',
] as const

export const DEPENDENT_TYPES = [
  'spouse',
  'partner',
  'child',
  'stepchild',
  'adopted-child',
  'ward',
  'parent',
  'parent-in-law',
  'sibling',
  'sibling-in-law',
  'grandchild',
  'grandparent',
  'nephew-niece',
  'uncle-aunt',
  'other',
] as const
export type DependentType = (typeof DEPENDENT_TYPES)[number]

export const GENDERS = ['male', 'female'] as const

/** As they are stored; `other` is an alias of `others` in requests. */
export const MARITAL_STATUSES = ['single', 'married', 'divorced', 'widowed', 'others'] as const
export type MaritalStatus = (typeof MARITAL_STATUSES)[number]

export const WORK_CONTRACT_TYPES = [
  'brazil-labor-law',
  'services-contract',
  'partner',
  'intern',
  'on-leave',
  'other',
] as const

/** The units of the federation. */
export const STATES = [
  'AC',
  'AL',
  'AM',
  'AP',
  'BA',
  'CE',
  'DF',
  'ES',
  'GO',
  'MA',
  'MG',
  'MS',
  'MT',
  'PA',
  'PB',
  'PE',
  'PI',
  'PR',
  'RJ',
  'RN',
  'RO',
  'RR',
  'RS',
  'SC',
  'SE',
  'SP',
  'TO',
] as const

export const START_OPTIONS = ['on-inclusion-date', 'on-admission-date', 'on-next-billing-period'] as const
export type StartOption = (typeof START_OPTIONS)[number]

/** The types of movement. */
export const MOVEMENT_KINDS = ['inclusion', 'exclusion', 'alteration'] as const
export type MovementKind = (typeof MOVEMENT_KINDS)[number]

/** What operators request of a benefit; on the wire these are alterations. */
export const ALTERATION_KINDS = ['second-card', 'contract-transfer'] as const
export type AlterationKind = (typeof ALTERATION_KINDS)[number]

/** Why a person needs another card. */
export const SECOND_CARD_REASONS = ['lost', 'stolen', 'damaged', 'data-changed', 'other'] as const
export type SecondCardReason = (typeof SECOND_CARD_REASONS)[number]

/** The values of `resolution`, which resolves a movement at once in staging. */
export const RESOLUTIONS = ['approve', 'reject'] as const
export type Resolution = (typeof RESOLUTIONS)[number]

/** What becomes of a movement in staging that asks for it with `sandbox`. */
export const SANDBOX_OUTCOMES = [
  'completed',
  'rejected',
  'pending-documents',
  'pending-correction',
  'no-answer',
] as const
export type SandboxOutcome = (typeof SANDBOX_OUTCOMES)[number]

export const REQUEST_STATUSES = ['processing', 'completed', 'partial-failure', 'failed'] as const
export type RequestStatus = (typeof REQUEST_STATUSES)[number]
export type FinishedRequestStatus = Exclude<RequestStatus, 'processing'>

export const PART_STATUSES = ['processing', 'enrollment-created', 'failed'] as const
export type PartStatus = (typeof PART_STATUSES)[number]

export const ENROLLMENT_STATUSES = [
  'scheduled',
  'created',
  'broker-processing',
  'carrier-processing',
  'pending-documents',
  'pending-correction',
  'completed',
  'rejected',
  'cancelled',
] as const
export type EnrollmentStatus = (typeof ENROLLMENT_STATUSES)[number]

export const TERMINAL_STATUSES = ['completed', 'rejected', 'cancelled'] as const satisfies readonly EnrollmentStatus[]
export type TerminalStatus = (typeof TERMINAL_STATUSES)[number]

/** Who changes the status of an enrollment, as its history shows it. */
export const ACTOR_KINDS = ['partner', 'operator', 'carrier', 'resolution', 'clock', 'service'] as const
export type ActorKind = (typeof ACTOR_KINDS)[number]

/** Roles of operators. */
export const ROLES = ['admin', 'analyst', 'finance', 'auditor'] as const
export type Role = (typeof ROLES)[number]

/** Roles of people: those of operators, and that of the people of a company, who use the partner API. */
export const PERSON_ROLES = [...ROLES, 'company-hr'] as const
export type PersonRole = (typeof PERSON_ROLES)[number]

/** Whether a person may sign in: `invited` until there is a password. */
export const PERSON_STATUSES = ['invited', 'active', 'blocked'] as const

export const IMPORT_STATUSES = ['running', 'done', 'broken'] as const
export type ImportStatus = (typeof IMPORT_STATUSES)[number]

export const BENEFIT_STATUSES = ['pending', 'active', 'inactive'] as const
export type BenefitStatus = (typeof BENEFIT_STATUSES)[number]

export const SCHEDULED_REASONS = [
  'future-admission-date',
  'future-end-date',
  'future-requested-start-date',
  'next-billing-period',
] as const
export type ScheduledReason = (typeof SCHEDULED_REASONS)[number]

export const EXCLUSION_REASONS = [
  'requested-by-beneficiary',
  'dismissal',
  'dismissal-with-cause',
  'resignation',
  'mutual-agreement',
  'end-of-contract',
  'retirement',
  'death',
  'loss-of-dependent-status',
  'portability',
  'non-payment',
  'undue-inclusion',
  'fraud',
  'other',
] as const
export type ExclusionReason = (typeof EXCLUSION_REASONS)[number]

/** What a person who may keep the plan after dismissal or retirement answered (RN 488 art. 10). */
export const CONTINUATION_OPTIONS = ['accepted', 'declined', 'no-answer'] as const
export type ContinuationOption = (typeof CONTINUATION_OPTIONS)[number]

export const DOCUMENT_TYPES = [
  'beneficiary-inclusion-form',
  'birth-certificate-or-national-id',
  'company-letter',
  'company-linking-declaration',
  'company-social-contract',
  'document-proving-relationship',
  'employee-social-contract',
  'employee-tax-id-card',
  'employment-contract',
  'enrollment-request',
  'exclusion-file',
  'guardianship-certificate',
  'identification-document-with-tax-id',
  'invoice',
  'marriage-certificate',
  'proof-of-dependent-relationship',
  'proof-of-employment',
  'proof-of-promotion',
  'proof-of-residency',
  'rescission',
  'same-sex-marriage-certificate',
  'stable-union-declaration',
  'proof-of-enrollment',
  'death-certificate',
  'adoption-papers',
  'proof-of-prior-coverage',
  'prior-plan-card',
  'leave-declaration',
  'medical-report',
  'internship-contract',
  'work-card',
  'esocial-record',
  'fgts-list',
  'continuation-option-form',
  'disability-report',
  'proof-of-leaving-request',
  'other',
] as const
export type DocumentType = (typeof DOCUMENT_TYPES)[number]

/** The codes in the `details` of an error. */
export const DETAIL_CODES = [
  'missing',
  'missing-documents',
  'invalid',
  'unknown',
  'repeated',
  'too-few',
  'too-many',
  'too-many-columns',
  'too-many-values',
  'malformed-json',
  'illegal-transition',
  'invalid-name',
  'wrong-password',
  'too-common',
  'staging-only',
  'not-applicable',
  'not-changeable',
  'dependent-type-not-allowed',
  'before-start-date',
  'date-out-of-range',
  'primary-not-kept',
  'required-by-contract',
  'nothing-to-alter',
  'same-company',
  'unknown-product',
  'product-type-mismatch',
  'ambiguous-product-type',
  'no-equivalent-product',
  'already-enrolled',
  'already-in-use',
  'not-company-tax-id',
  'before-reference-period-start',
  'carrier-mismatch',
  'duplicate-contract',
  'in-another-contract',
  'empty',
  'too-many-endpoints',
  'duplicate-url',
  'https-required',
  'credentials-not-allowed',
  'port-not-allowed',
  'private-address',
] as const
export type DetailCode = (typeof DETAIL_CODES)[number]

export const INVOICE_STATUSES = [
  'all-pending',
  'all-overdue',
  'partially-overdue',
  'partially-paid',
  'all-paid',
  'cancelled',
] as const
export type InvoiceStatus = (typeof INVOICE_STATUSES)[number]

export const INVOICE_FILE_TYPES = [
  'payment-slip',
  'invoice',
  'service-invoice',
  'detailed-statement',
  'coparticipation-statement',
  'other',
] as const
export type InvoiceFileType = (typeof INVOICE_FILE_TYPES)[number]

export const INVOICE_FILE_STATUSES = ['pending', 'overdue', 'paid', 'cancelled', 'available'] as const
export type InvoiceFileStatus = (typeof INVOICE_FILE_STATUSES)[number]

export const DEADLINE_KINDS = [
  'inclusion-window',
  'newborn',
  'carrier-notice',
  'retroactive-limit',
  'effective-exclusion',
  'proof-of-exclusion',
  'continuation-option',
  'portability-window',
] as const
export type DeadlineKind = (typeof DEADLINE_KINDS)[number]

/**
 * Those that a person has to meet, for lists, due dates and events. The day on which an exclusion has effect, and the one until which a person
 * may change the carrier, are information.
 */
export const DUE_DEADLINES = [
  'inclusion-window',
  'newborn',
  'carrier-notice',
  'retroactive-limit',
  'proof-of-exclusion',
  'continuation-option',
] as const satisfies readonly DeadlineKind[]
export type DueDeadline = (typeof DUE_DEADLINES)[number]
