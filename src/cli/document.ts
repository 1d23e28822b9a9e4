import { openAsBlob } from 'node:fs'
import { responseError, unreachable } from './api-client.ts'
import type { CommandDeclaration } from './command-builder.ts'
import { fileError } from './errors.ts'
import { apiCommand } from './operation.ts'
import { interruption, print, printJson } from './terminal.ts'

/** `vigencia document upload`. */
export const documentCommand: CommandDeclaration = {
  name: 'document',
  description: 'documents that accompany movements',
  commands: [
    apiCommand({
      name: 'upload',
      description: 'upload a document; its id is used in a movement within 7 days (partner)',
      examples: { 'document upload certificate.pdf': 'PDF, JPEG, PNG, TIFF or HEIC, up to 20 MiB' },
      parameters: { '<file>': '' },
      api: 'partner',
      async run({ file, json }, client) {
        const body = await openAsBlob(file).catch((error: unknown) => {
          throw fileError(file, 'read', error)
        })
        const slot = await client.call<{ 'document-id': string; 'upload-url': string }>(
          'POST',
          '/v1/enrollment/document-upload-url',
        )
        const { 'document-id': id, 'upload-url': url } = slot
        const response = await fetch(url, { method: 'PUT', body, redirect: 'error', signal: interruption() }).catch(
          (error: unknown) => {
            throw unreachable(new URL(url).origin, error)
          },
        )
        if (!response.ok) throw await responseError(response)
        if (json) printJson({ 'document-id': id })
        else print(`document-id ${id}`)
      },
    }),
  ],
}
