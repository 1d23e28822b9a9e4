import type { TFunction } from 'i18next'
import type { DocumentType } from '../../../../src/kernel/enums.ts'
import type { Result } from '@vigencia/client'
import type { Target } from './decision.ts'

/** A reason that is often given. */
export type ReasonTemplate = NonNullable<Result<'readSettings'>['reason-templates']>[number]

/** Its text is `decisions:templates.<name>`. */
interface BuiltIn {
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
  readonly target: ReasonTemplate['target']
  readonly documents?: DocumentType[]
  readonly fields?: string[]
}

/** Those of an installation that has none of its own. */
const builtIn: readonly BuiltIn[] = [
  { name: 'carrierRefused', target: 'rejected' },
  { name: 'notEligible', target: 'rejected' },
  { name: 'duplicated', target: 'rejected' },
  { name: 'documentsNotSent', target: 'rejected' },
  { name: 'afterCutOff', target: 'rejected' },
  { name: 'withdrawn', target: 'rejected' },
  { name: 'identityDocument', target: 'pending-documents', documents: ['identification-document-with-tax-id'] },
  { name: 'relationshipDocument', target: 'pending-documents', documents: ['document-proving-relationship'] },
  { name: 'employmentDocument', target: 'pending-documents', documents: ['proof-of-employment'] },
  { name: 'enrollmentForm', target: 'pending-documents', documents: ['enrollment-request'] },
  { name: 'illegible', target: 'pending-documents' },
  { name: 'dataDiffer', target: 'pending-correction' },
  { name: 'mothersName', target: 'pending-correction', fields: ['mothers-name'] },
  { name: 'dateOfBirth', target: 'pending-correction', fields: ['date-of-birth'] },
]

export const builtInTemplates = (t: TFunction<'decisions'>): readonly ReasonTemplate[] =>
  builtIn.map(({ name, target, documents = [], fields = [] }) => ({
    target,
    text: t(`templates.${name}`),
    'document-types': documents,
    'correction-fields': fields,
  }))

/** The templates of a target; the two pending statuses share theirs. */
export function templatesOf(all: readonly ReasonTemplate[], target: Target): readonly ReasonTemplate[] {
  const isPending = (one: Target) => one === 'pending-documents' || one === 'pending-correction'
  return all.filter((one) => one.target === target || (isPending(target) && isPending(one.target)))
}
