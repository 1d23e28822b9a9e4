import type { ErrorCode } from '../../../../src/kernel/error-codes.ts'
import type { Terms } from '../../../../src/kernel/texts/texts.ts'
import { errors as sentences, terms as names } from '../../../../texts/en.json?first'

/** The values of the closed sets of the API. */
export const terms = names as Terms
/** The sentences of its errors. */
export const errors = sentences as Readonly<Record<ErrorCode, string>>
