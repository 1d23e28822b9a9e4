/* The words of codes and fields, from texts/, by the closed sets of the domain: a code without words does not compile. */
import type {
  ActorKind,
  AlterationKind,
  BeneficiaryType,
  BenefitStatus,
  DependentType,
  DetailCode,
  DocumentType,
  EnrollmentStatus,
  ExclusionReason,
  GENDERS,
  ImportStatus,
  MaritalStatus,
  MovementKind,
  PartStatus,
  PRODUCT_TYPES,
  RequestStatus,
  PersonRole,
  PERSON_STATUSES,
  ScheduledReason,
  SecondCardReason,
  StartOption,
  CONTINUATION_OPTIONS,
  WORK_CONTRACT_TYPES,
  InvoiceFileStatus,
  InvoiceFileType,
  InvoiceStatus,
} from '../enums.ts'
import type {
  ChargeBasis,
  ClaimStatus,
  CLOSING_ACTS,
  ClosingItem,
  ClosingItemState,
  ClosingStatus,
  ContractChannel,
  ContractLives,
  ContractStatus,
  ItemStatus,
  ShipmentStatus,
  RequestMedium,
  SubjectRequestKind,
  SubjectRequestStatus,
} from '../broker-enums.ts'
import type { ErrorCode } from '../error-codes.ts'
import type { EventType } from '../events.ts'
import type { DraftApproval, DraftClass, DraftClosedBecause, DraftItemStatus, DraftStatus } from '../movement-drafts.ts'
import type { RosterDoubt, RosterExplanation, RosterProblem, RosterState, RosterStatus } from '../roster-syncs.ts'
import type { InclusionField } from '../inclusion-fields.ts'
import type { MailCount, MailFrequency, MailKind, MailStatus } from '../mail.ts'
import type { FieldFormat, JsonType, MessageKey, WrongFileType } from '../messages.ts'
import type { AnyOffense, LineOffense, RuleOffense } from '../offenses.ts'
import type {
  CarrierFileKind,
  InvoiceKind,
  CarrierFileStatus,
  DiscrepancyClass,
  DiscrepancyStatus,
  EntryType,
  Explanation as DiscrepancyExplanation,
  MatchedBy,
  ReconciliationStatus,
} from '../reconciliation.ts'
import type { AlterationOffense } from '../alteration-offenses.ts'
import type { ExclusionOffense } from '../exclusion-offenses.ts'
import type { WarningCode } from '../warnings.ts'
import english from '../../../texts/en.json' with { type: 'json' }
import portuguese from '../../../texts/pt-BR.json' with { type: 'json' }

export const LANGUAGES = ['en', 'pt-BR'] as const
export type Language = (typeof LANGUAGES)[number]

type Words<Code extends string> = Readonly<Record<Code, string>>

/** What an offense means, and what mends it. */
export interface Explanation {
  readonly meaning: string
  readonly fix: string
}

/** The parts of the sentence that says why a charge is what it is. */
type ChargeSentence =
  | 'premium'
  | 'premium-by-age'
  | 'earlier'
  | 'month'
  | 'part-of-month'
  | 'entries'
  | 'as-charged'
  | 'difference'
  | 'nobody'
  | 'requested'
  | 'sent'
  | 'answered'

/** What both languages have. */
interface Texts {
  readonly errors: Words<ErrorCode>
  /** null: it adds nothing to the sentence of the code. */
  readonly messages: Readonly<Record<MessageKey, string | null>>
  readonly warnings: Words<WarningCode>
  readonly formats: Words<FieldFormat>
  readonly types: Words<JsonType>
  readonly files: Words<WrongFileType>
  readonly charges: Words<ChargeSentence>
  readonly 'final-balance': Words<FinalBalanceSentence>
  readonly mails: MailTexts
  readonly terms: Terms
}

/** What e-mails say. */
interface MailTexts {
  readonly kinds: Readonly<
    Record<MailKind, { readonly subject: string; readonly lead: string; readonly action: string }>
  >
  readonly counts: Words<MailCount>
  readonly frame: Words<'once' | 'unexpected' | 'why' | 'stop' | 'settings'>
  readonly stopped: Words<'question' | 'button' | 'done' | 'again' | 'invalid'>
}

type FinalBalanceSentence = 'unlimited' | 'limited' | 'remuneration-unknown' | 'later' | 'later-unknown'

/** The names of the values of the closed sets, for people. */
export interface Terms {
  readonly status: Words<EnrollmentStatus>
  readonly type: Words<MovementKind>
  readonly alterationKind: Words<AlterationKind>
  readonly actor: Words<ActorKind>
  readonly role: Words<PersonRole>
  readonly personStatus: Words<(typeof PERSON_STATUSES)[number]>
  readonly requestStatus: Words<RequestStatus>
  readonly partStatus: Words<PartStatus>
  readonly benefitStatus: Words<BenefitStatus>
  readonly beneficiaryType: Words<BeneficiaryType>
  readonly productType: Words<(typeof PRODUCT_TYPES)[number]>
  readonly dependentType: Words<DependentType>
  readonly gender: Words<(typeof GENDERS)[number]>
  readonly maritalStatus: Words<MaritalStatus>
  readonly workContractType: Words<(typeof WORK_CONTRACT_TYPES)[number]>
  readonly continuationOption: Words<(typeof CONTINUATION_OPTIONS)[number]>
  readonly startOption: Words<StartOption>
  readonly exclusionReason: Words<ExclusionReason>
  readonly secondCardReason: Words<SecondCardReason>
  readonly scheduledReason: Words<ScheduledReason>
  readonly documentType: Words<DocumentType>
  readonly invoiceStatus: Words<InvoiceStatus>
  readonly invoiceFileStatus: Words<InvoiceFileStatus>
  readonly invoiceFileType: Words<InvoiceFileType>
  readonly importStatus: Words<ImportStatus>
  readonly contractStatus: Words<ContractStatus>
  readonly contractLives: Words<ContractLives>
  readonly contractChannel: Words<ContractChannel>
  readonly shipmentStatus: Words<ShipmentStatus>
  readonly shipmentItemStatus: Words<ItemStatus>
  readonly discrepancyClass: Words<DiscrepancyClass>
  readonly discrepancyStatus: Words<DiscrepancyStatus>
  readonly explanation: Words<DiscrepancyExplanation>
  readonly invoiceKind: Words<InvoiceKind>
  readonly carrierFileKind: Words<CarrierFileKind>
  readonly carrierFileStatus: Words<CarrierFileStatus>
  readonly matchedBy: Words<MatchedBy>
  readonly reconciliationStatus: Words<ReconciliationStatus>
  readonly entryType: Words<EntryType>
  readonly chargeBasis: Words<ChargeBasis>
  readonly claimStatus: Words<ClaimStatus>
  readonly closingStatus: Words<ClosingStatus>
  readonly closingAct: Words<(typeof CLOSING_ACTS)[number]>
  readonly closingItem: Words<ClosingItem>
  readonly closingItemState: Words<ClosingItemState>
  readonly requestMedium: Words<RequestMedium>
  readonly subjectRequestKind: Words<SubjectRequestKind>
  readonly subjectRequestStatus: Words<SubjectRequestStatus>
  readonly draftStatus: Words<DraftStatus>
  readonly draftClosedBecause: Words<DraftClosedBecause>
  readonly draftClass: Words<DraftClass>
  readonly draftItemStatus: Words<DraftItemStatus>
  readonly draftApproval: Words<DraftApproval>
  readonly rosterState: Words<RosterState>
  readonly rosterStatus: Words<RosterStatus>
  readonly rosterDoubt: Words<RosterDoubt>
  readonly rosterProblem: Words<RosterProblem>
  readonly rosterExplanation: Words<RosterExplanation>
  readonly mailKind: Words<MailKind>
  readonly mailStatus: Words<MailStatus>
  readonly mailFrequency: Words<MailFrequency>
}

interface EnglishTexts extends Texts {
  readonly offenses: Readonly<Record<Exclude<RuleOffense, 'invalid-start-option'>, Explanation>>
  readonly 'field-offenses': {
    readonly missing: Explanation
    readonly 'invalid-required': string
    readonly 'invalid-optional': string
  }
  readonly 'exclusion-offenses': Readonly<Record<ExclusionOffense, Explanation>>
  readonly 'alteration-offenses': Readonly<Record<AlterationOffense, Explanation>>
  readonly 'import-offenses': Words<LineOffense>
  /** The further rules of fields, beside their own rules. */
  readonly 'further-rules': Readonly<Partial<Record<InclusionField, string>>>
  readonly events: Words<EventType>
}

interface PortugueseTexts extends Texts {
  readonly details: Words<DetailCode>
  readonly offenses: Words<Exclude<AnyOffense, `invalid-${InclusionField}`>>
  /** How to fill in a field. */
  readonly rules: Words<InclusionField>
  /** What is not a field of the API, but stands in `field` of a detail. */
  readonly places: Readonly<Record<string, string>>
  /** Columns that are no field of the API, for the copy of a person's data. */
  readonly columns: Readonly<Record<string, string>>
  readonly 'personal-data': PersonalDataTexts
  readonly fields: Words<FieldName>
}

/** The texts of the copy of a person's data. */
interface PersonalDataTexts {
  /** Names of tables. */
  readonly sections: (typeof portuguese)['personal-data']['sections']
  readonly disclosures: (typeof portuguese)['personal-data']['disclosures']
  readonly copy: (typeof portuguese)['personal-data']['copy']
}

export const ENGLISH: EnglishTexts = english
export const PORTUGUESE: PortugueseTexts = portuguese
export const TEXTS: Readonly<Record<Language, Texts>> = { en: ENGLISH, 'pt-BR': PORTUGUESE }

/** A field or parameter of the API. */
type FieldName = keyof typeof portuguese.fields

/** The Portuguese term of a field; undefined for a name that is none. */
export function termOf(name: string): string | undefined {
  return ownValue(PORTUGUESE.fields, name)
}

/** The value of a key that clients choose, which may be a name of Object's prototype. */
export function ownValue(table: Readonly<Record<string, string>>, key: string): string | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined
}
