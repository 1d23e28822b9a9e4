import type { ExclusionReason } from '../../../../src/kernel/enums.ts'

/** Who accepts keeps the cover: one question, of which the service has two fields. */
export const extensionOf = (option: unknown): { readonly 'extension-plan'?: true } =>
  option === 'accepted' ? { 'extension-plan': true } : {}

/**
 * What an exclusion asks for beside the reason and the day. With a dismissal and a retirement, and of who had retired and worked on, these are the items of
 * RN 488 arts. 10 to 12.
 */
export function fieldsOf(reason: ExclusionReason | null, hadRetired: boolean): readonly string[] {
  const continuation = ['contributed', 'contribution-months', 'notice-date', 'option', 'option-date']
  switch (reason) {
    case 'dismissal':
    case 'retirement':
      return [...continuation, 'keeps-working-after-retirement']
    case 'dismissal-with-cause':
    case 'resignation':
    case 'mutual-agreement':
      return ['keeps-working-after-retirement', ...(hadRetired ? continuation : [])]
    case 'requested-by-beneficiary':
      return ['requested-at']
    case 'other':
      return ['exclusion-reason-details']
    default:
      return []
  }
}
