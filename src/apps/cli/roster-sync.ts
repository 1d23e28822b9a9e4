import { basename } from 'node:path'
import { xlsxType } from '#platform/tables/media-type.ts'
import { openFile } from './json-file.ts'
import { apiCommand } from './operation.ts'
import { columnsOf } from './operation-commands.ts'
import { printItems, printJson } from './terminal.ts'

const types: Readonly<Record<string, string>> = {
  xlsx: xlsxType,
  json: 'application/json',
  ndjson: 'application/x-ndjson',
}

/** `vigencia roster-sync put`. */
export const rosterSyncPutCommand = apiCommand({
  name: 'put',
  description: 'send the list of a roster sync',
  examples: { 'roster-sync put 01995e0e-2c30-7d51-8a6b-7c8d9e0f1a22 vidas.xlsx': 'it is read and compared by itself' },
  parameters: {
    '<roster-sync-id>': 'from its creation',
    '<file>': 'CSV, or XLSX, NDJSON and JSON by the end of its name',
    '--sheet <name>': 'of a workbook, when not all that have the columns',
  },
  api: 'either',
  async run({ rosterSyncId, file, sheet, json }, client) {
    const operation = client.api === 'partner' ? 'putRosterSyncFile' : 'putRosterSyncFileOfCompany'
    const type = types[file.split('.').at(-1)?.toLowerCase() ?? ''] ?? 'text/csv'
    const body = await client.sdk.operations.request(operation, {
      path: [rosterSyncId],
      query: { 'file-name': basename(file), sheet },
      raw: { bytes: await openFile(file), type, isRepeatable: true },
    })
    if (json) printJson(body)
    else printItems([body.result], columnsOf('roster-sync list'))
  },
})
