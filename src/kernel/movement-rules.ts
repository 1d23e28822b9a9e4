import type { AlterationKind, BeneficiaryType, MovementKind } from './enums.ts'

export interface MovementRules {
  /** It has a pending benefit of its own, which is deleted when it is rejected or cancelled. */
  readonly createsBenefit: boolean
  /** It ends the benefit. */
  readonly endsBenefit: boolean
  /** It can move the benefit to another product or company; its registration data are those of a request, applied once. */
  readonly altersBenefit: boolean
  /** Completing it changes the profile of the member. */
  readonly changesProfile: boolean
  /** A dependent's cannot complete before the primary's benefit of the product is active. */
  readonly needsActivePrimary: boolean
  /** A transition of a primary's moves those of its dependents: see `cascadedSteps`. */
  readonly cascades: boolean
}

/** What a movement of each kind does. Conditions on the kind, also of SQL (`hasRule`), name a rule. */
export const movementRules: Readonly<Record<MovementKind, MovementRules>> = {
  inclusion: {
    createsBenefit: true,
    endsBenefit: false,
    altersBenefit: false,
    changesProfile: true,
    needsActivePrimary: true,
    cascades: true,
  },
  exclusion: {
    createsBenefit: false,
    endsBenefit: true,
    altersBenefit: false,
    changesProfile: false,
    needsActivePrimary: false,
    cascades: true,
  },
  alteration: {
    createsBenefit: false,
    endsBenefit: false,
    altersBenefit: true,
    changesProfile: true,
    needsActivePrimary: false,
    cascades: false,
  },
}

interface AlterationRules {
  /** The roles in which a person may have the benefit. */
  readonly memberTypes: readonly BeneficiaryType[]
  /** What completing it takes. */
  readonly completionFields: readonly 'card-number'[]
}

/** What an alteration of each kind concerns, beside what every alteration does. */
export const alterationRules: Readonly<Record<AlterationKind, AlterationRules>> = {
  'second-card': { memberTypes: ['primary', 'dependent'], completionFields: ['card-number'] },
  // The carrier moves the family with the primary.
  'contract-transfer': { memberTypes: ['primary'], completionFields: ['card-number'] },
}
