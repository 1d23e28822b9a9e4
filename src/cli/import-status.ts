import type { CommandDeclaration } from './command-builder.ts'
import { listOperation, operation } from './operation.ts'
import { downloadOperation } from './save.ts'

const id = '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21'

/** `vigencia import list`, `show` and `errors`. */
export const importStatusCommands: readonly CommandDeclaration[] = [
  listOperation({
    name: 'list',
    description: 'list imports of members, newest first (operator)',
    examples: { 'import list --where status=broken': 'those that stopped' },
    operation: { operator: 'listImports' },
    columns: {
      'IMPORT-ID': 'import-id',
      STATUS: 'status',
      LINES: 'lines',
      ACCEPTED: 'accepted',
      REJECTED: 'rejected',
      'CREATED-AT': 'created-at',
      'FINISHED-AT': 'finished-at',
    },
  }),
  operation({
    name: 'show',
    description: 'show how far an import is (operator)',
    examples: { [`import show ${id}`]: 'also one that runs elsewhere' },
    parameters: { '<import-id>': '' },
    operation: { operator: 'readImport' },
    isShown: true,
  }),
  downloadOperation({
    name: 'errors',
    description: 'write the rejected lines of an import with their offenses, as NDJSON (operator)',
    examples: { [`import errors ${id} --output bad-lines.ndjson`]: 'all of them' },
    parameters: { '<import-id>': '' },
    operation: { operator: 'listImportErrors' },
    isText: true,
  }),
]
