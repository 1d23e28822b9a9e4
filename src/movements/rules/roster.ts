/* What families of a list are compared by, and what follows from the comparison. */
import type { LocalDate } from '#kernel/calendar.ts'
import type { BeneficiaryType, DependentType, MovementKind, StartOption } from '#kernel/enums.ts'
import type { DraftClass } from '#kernel/movement-drafts.ts'
import type { RosterExplanation, RosterState } from '#kernel/roster-syncs.ts'
import type { DraftDifference } from './movement-draft.ts'

/** A line of a list: one person, and one product where it states any. What is not stated is null, or no key. */
export interface RosterLine {
  /** In the file, from 1; a member of JSON with several products is several lines with one number. */
  readonly line: number
  readonly taxId: string | null
  /** null: not stated, and it does not follow from a kinship or a primary. */
  readonly role: BeneficiaryType | null
  readonly primaryTaxId: string | null
  readonly dependentType: DependentType | null
  /** Registration data and the admission date, in wire keys and normal forms, under the keys of the profile. */
  readonly profile: Readonly<Record<string, string | number | boolean>>
  /** As stated. */
  readonly productName: string | null
  readonly startOption: StartOption | null
  /** `exclusion-details` in wire keys, of a line with a last day. */
  readonly exclusion: Readonly<Record<string, string | number | boolean>> | null
  /** What only the carrier sets: `card-number` and `start-date`. */
  readonly carrier: Readonly<Record<string, string>>
  readonly reference: string | null
  /** Codes of an inclusion or exclusion (`invalid-…`), `malformed-line`, `missing-tax-id`; a line with any is not used. */
  readonly offenses: readonly string[]
}

export interface RosterProduct {
  readonly id: string
  readonly name: string
  readonly nameKey: string
  readonly type: string
  /** Whether `within` has it. */
  readonly isInScope: boolean
}

/** What is the same for all families of a list. */
export interface RosterTerms {
  readonly today: LocalDate
  /** The day that the list shows. */
  readonly asOf: LocalDate
  readonly states: readonly RosterState[]
  /** Whether `within` narrows the people: who is absent may be in the list of another part of the company. */
  readonly isPartOfCompany: boolean
  readonly defaults: { readonly startOption: StartOption | null; readonly productNames: readonly string[] }
  /** Those of the company that are not retired, and retired ones that somebody still has. */
  readonly products: readonly RosterProduct[]
}

/** In force: `pending` or `active`; only of products of the scope. */
export interface RosterBenefit {
  readonly id: string
  readonly productId: string
  readonly status: 'pending' | 'active'
  readonly startDate: LocalDate
  readonly endDate: LocalDate | null
  readonly extensionPlan: boolean
  readonly cardNumber: string | null
  readonly dependentType: DependentType | null
  /** The CPF of the primary of a dependent. */
  readonly primaryTaxId: string | null
  /** The business day on which it was made. */
  readonly includedOn: LocalDate
}

export interface RosterMovement {
  readonly enrollmentId: string
  readonly kind: MovementKind
  /** null: an alteration of registration data, or another kind. */
  readonly productId: string
  /** For a change of plan. */
  readonly destinationProductId: string | null
}

/** Somebody who is here, in the role of this family. */
export interface RosterMember {
  readonly id: string
  readonly taxId: string
  /** In wire keys. */
  readonly profile: Readonly<Record<string, unknown>>
  readonly benefits: readonly RosterBenefit[]
  /** Products of the scope that the person has in another role or family. */
  readonly otherProductIds: readonly string[]
  /** Types of all products in force, also of those that are not of the scope. */
  readonly productTypes: readonly string[]
  /** For benefits that ended: when the end was written, as a business day. */
  readonly endedSince: readonly { readonly productId: string; readonly writtenOn: LocalDate }[]
  /** Movements that are not final. */
  readonly openMovements: readonly RosterMovement[]
  /** Items of other drafts that wait for an approval or are confirmed. */
  readonly waiting: readonly { readonly class: DraftClass; readonly productId: string | null }[]
}

export interface RosterPerson {
  readonly role: BeneficiaryType
  /** None: not listed. Also those that are refused. */
  readonly lines: readonly RosterLine[]
  /** null: nobody who is here. */
  readonly member: RosterMember | null
  readonly matchedBy: 'tax-id' | 'employee-id' | 'name' | null
  /** Here, but not of the people of `within`. */
  readonly isOutside: boolean
}

/** The primary, if there is one, is the first. */
export interface RosterFamily {
  /** The primary by id or CPF. */
  readonly family: string
  readonly people: readonly RosterPerson[]
}

/** A row of `movement_draft_item` before it has a number and a status: `held`, `refused`, or `proposed`. */
export interface RosterItem {
  readonly class: DraftClass
  readonly movement: MovementKind | null
  readonly taxId: string | null
  readonly memberId: string | null
  readonly name: string | null
  readonly employeeId: string | null
  readonly memberType: BeneficiaryType | null
  /** For an exclusion. */
  readonly productId: string | null
  readonly productName: string | null
  readonly lines: readonly number[]
  /** A member of a batch of the movement, in wire keys; of `company-data` the registration data; null of `held` and `refused`. */
  readonly entry: Readonly<Record<string, unknown>> | null
  readonly differences: readonly DraftDifference[]
  readonly explanation: RosterExplanation | null
  readonly enrollmentIds: readonly string[]
  readonly byNumberOnly: boolean
  readonly alsoEnds: number
  /** For an exclusion: `exclusion-reason`, `end-date`. Those of others follow from the rules of their movements. */
  readonly needs: readonly string[]
  /** Only of `refused`. */
  readonly offenses: readonly string[]
}

/** Sums over families; a person in two roles counts twice. */
export interface RosterTally {
  /** People with no item. */
  readonly unchanged: number
  /** Primaries with a benefit of the scope in force, and those of them who are listed. */
  readonly coveredPrimaries: number
  readonly listedPrimaries: number
  readonly coveredDependents: number
  readonly listedDependents: number
  /** Listed people of the scope who are here, and those whose identity contradicts: birth date, or a name without a common word. */
  readonly known: number
  readonly conflicts: number
  /** How many people each product of the scope covers, by its id. */
  readonly covered: Readonly<Record<string, number>>
}

export interface DerivedFamily {
  readonly items: readonly RosterItem[]
  readonly tally: RosterTally
}
