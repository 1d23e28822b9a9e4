import type { DocumentType } from '../../../../src/kernel/enums.ts'
import type { Target } from './decision.ts'

/** A reason that is often given: its text is `decisions:templates.<name>`. */
export interface ReasonTemplate {
  readonly name:
    | 'carrierRefused'
    | 'notEligible'
    | 'duplicated'
    | 'documentsNotSent'
    | 'afterCutOff'
    | 'withdrawn'
    | 'identityDocument'
    | 'relationshipDocument'
    | 'employmentDocument'
    | 'enrollmentForm'
    | 'illegible'
    | 'dataDiffer'
    | 'mothersName'
    | 'dateOfBirth'
  readonly target: Target
  /** What the partner has to send, of `pending-documents`. */
  readonly documents?: readonly DocumentType[]
  /** What the partner has to correct, of `pending-correction`. */
  readonly fields?: readonly string[]
}

const rejections: readonly ReasonTemplate[] = [
  { name: 'carrierRefused', target: 'rejected' },
  { name: 'notEligible', target: 'rejected' },
  { name: 'duplicated', target: 'rejected' },
  { name: 'documentsNotSent', target: 'rejected' },
  { name: 'afterCutOff', target: 'rejected' },
  { name: 'withdrawn', target: 'rejected' },
]

const pendings: readonly ReasonTemplate[] = [
  { name: 'identityDocument', target: 'pending-documents', documents: ['identification-document-with-tax-id'] },
  { name: 'relationshipDocument', target: 'pending-documents', documents: ['document-proving-relationship'] },
  { name: 'employmentDocument', target: 'pending-documents', documents: ['proof-of-employment'] },
  { name: 'enrollmentForm', target: 'pending-documents', documents: ['enrollment-request'] },
  { name: 'illegible', target: 'pending-documents' },
  { name: 'dataDiffer', target: 'pending-correction' },
  { name: 'mothersName', target: 'pending-correction', fields: ['mothers-name'] },
  { name: 'dateOfBirth', target: 'pending-correction', fields: ['date-of-birth'] },
]

/** The templates of a target; the two pending statuses share theirs. */
export function templatesOf(target: Target): readonly ReasonTemplate[] {
  if (target === 'rejected') return rejections
  return target === 'pending-documents' || target === 'pending-correction' ? pendings : []
}
