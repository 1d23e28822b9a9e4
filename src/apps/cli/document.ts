import type { CommandDeclaration } from './command-builder.ts'
import { openFile } from './json-file.ts'
import { apiCommand } from './operation.ts'
import { print, printJson } from './terminal.ts'

/** `vigencia document upload`. */
export const documentCommand: CommandDeclaration = {
  name: 'document',
  description: 'documents that accompany movements',
  commands: [
    apiCommand({
      name: 'upload',
      description: 'upload a document; its id is used in a movement within 7 days',
      examples: { 'document upload certificate.pdf': 'PDF, JPEG, PNG, TIFF, HEIC or WEBP, up to 20 MiB' },
      parameters: { '<file>': '' },
      api: 'partner-first',
      async run({ file, json }, client) {
        const { 'document-id': id } = await client.sdk.documents.upload(await openFile(file))
        if (json) printJson({ 'document-id': id })
        else print(`document-id ${id}`)
      },
    }),
  ],
}
