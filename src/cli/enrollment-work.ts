import type { CommandDeclaration } from './command-builder.ts'
import { listOperation, operation } from './operation.ts'
import { downloadOperation } from './save.ts'

const example = '01995e0c-7011-7a0e-8c44-0e9b1d2f3a45'
const other = '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21'
const one = { '<enrollment-id>': '' } as const

/** `vigencia enrollment documents`, `document`, `note`, `notes`, `assign`, `unassign`. */
export const enrollmentWorkCommands: readonly CommandDeclaration[] = [
  listOperation({
    name: 'documents',
    description: 'list the documents of a movement (operator)',
    examples: { [`enrollment documents ${example}`]: 'their ids, types and sizes' },
    parameters: one,
    operation: { operator: 'listEnrollmentDocuments' },
    columns: {
      'DOCUMENT-ID': 'document-id',
      TYPE: 'document-type',
      NAME: 'name',
      'CONTENT-TYPE': 'content-type',
      SIZE: 'size',
    },
  }),
  downloadOperation({
    name: 'document',
    description: 'write a document of a movement to a file (operator)',
    examples: {
      [`enrollment document ${example} ${other} --output certificate.pdf`]: 'the bytes as they were uploaded',
    },
    parameters: { ...one, '<document-id>': 'from enrollment documents' },
    operation: { operator: 'readEnrollmentDocument' },
  }),
  operation({
    name: 'note',
    description: 'add an internal note to a movement; partners never see it (operator)',
    examples: { [`enrollment note ${example} "Called the carrier"`]: 'with author and time' },
    parameters: { ...one, '<text>': '1 to 2,000 characters' },
    operation: { operator: 'addEnrollmentNote' },
    request: ({ text }) => ({ json: { text } }),
    message: () => 'Noted.',
  }),
  listOperation({
    name: 'notes',
    description: 'list the notes of a movement (operator)',
    examples: { [`enrollment notes ${example}`]: 'who wrote what when' },
    parameters: one,
    operation: { operator: 'listEnrollmentNotes' },
    columns: { 'CREATED-AT': 'created-at', AUTHOR: 'author', TEXT: 'text' },
  }),
  operation({
    name: 'assign',
    description: 'give a movement to an operator (operator)',
    examples: { [`enrollment assign ${example} ${other}`]: 'shown in the queue as its assignee' },
    parameters: { ...one, '<client-id>': 'of the operator: vigencia operator list' },
    operation: { operator: 'assignEnrollment' },
    request: ({ clientId }) => ({ json: { assignee: clientId } }),
    message: ({ enrollmentId, clientId }) => `${clientId} has movement ${enrollmentId}.`,
  }),
  operation({
    name: 'unassign',
    description: 'take a movement from its operator (operator)',
    examples: { [`enrollment unassign ${example}`]: 'it has no assignee then' },
    parameters: one,
    operation: { operator: 'assignEnrollment' },
    request: () => ({ json: { assignee: null } }),
    message: ({ enrollmentId }) => `Nobody has movement ${enrollmentId}.`,
  }),
]
