// The value sets of the contract. Each is the single source of its type, its schema and its check.

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
export type ProductType = (typeof PRODUCT_TYPES)[number]

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
export type Gender = (typeof GENDERS)[number]

/** As they are kept; `other` is taken as an alias of `others` when read. */
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
export type WorkContractType = (typeof WORK_CONTRACT_TYPES)[number]

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

export const REQUEST_TYPES = ['inclusion', 'exclusion', 'alteration'] as const
export type RequestType = (typeof REQUEST_TYPES)[number]

export const REQUEST_STATUSES = ['processing', 'completed', 'partial-failure', 'failed'] as const
export type RequestStatusValue = (typeof REQUEST_STATUSES)[number]

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
  'other',
] as const
export type DocumentType = (typeof DOCUMENT_TYPES)[number]

/** What an inclusion member can be refused for; a closed list, sorted. */
export const OFFENSES = [
  'already-enrolled',
  'dependent-type-not-allowed',
  'duplicated-member',
  'invalid-admission-date',
  'invalid-beneficiary-type',
  'invalid-cost-center',
  'invalid-date-of-birth',
  'invalid-dependency-date',
  'invalid-dependent-type',
  'invalid-documents',
  'invalid-email-corporate',
  'invalid-email-private',
  'invalid-employee-id',
  'invalid-gender',
  'invalid-job-title',
  'invalid-marital-status',
  'invalid-mothers-name',
  'invalid-name',
  'invalid-phone',
  'invalid-primary-member-tax-id',
  'invalid-products',
  'invalid-salary',
  'invalid-start-option',
  'invalid-tax-id',
  'invalid-work-contract-type',
  'missing-admission-date',
  'missing-beneficiary-type',
  'missing-date-of-birth',
  'missing-dependent-type',
  'missing-gender',
  'missing-mothers-name',
  'missing-name',
  'missing-primary-member-tax-id',
  'missing-product-name',
  'missing-products',
  'missing-start-option',
  'missing-tax-id',
  'ongoing-enrollment',
  'primary-member-not-enrolled-in-product',
  'primary-member-not-found',
  'primary-member-rejected',
  'product-type-mismatch',
  'start-option-not-allowed',
  'unknown-product',
] as const
export type Offense = (typeof OFFENSES)[number]
