/*
 * Excludes the people of a file, one a line: CPF;last day;reason. All or nobody: lines with errors are printed.
 *
 *   node sdk/examples/leavers.ts 12ABC34501DE35 leavers.csv
 */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { InvalidMembersError, Vigencia, type ExclusionMember } from '@vigencia/client'

type Reason = ExclusionMember['exclusion-details']['exclusion-reason']

const [company = '', file = 'leavers.csv'] = process.argv.slice(2)
const vigencia = new Vigencia({
  url: process.env['VIGENCIA_URL'] ?? 'http://127.0.0.1:3000',
  clientId: process.env['VIGENCIA_CLIENT_ID'] ?? 'demo-partner',
  clientSecret: process.env['VIGENCIA_CLIENT_SECRET'] ?? '',
})

const text = await readFile(file, 'utf8')
const members = text
  .split('\n')
  .filter((line) => line.trim() !== '')
  .map((line) => {
    const [taxId = '', endDate = '', reason = ''] = line.split(';').map((cell) => cell.trim())
    return {
      'tax-id': taxId,
      'exclusion-details': { 'end-date': endDate, 'exclusion-reason': reason as Reason },
    }
  })

// The key of the file: the same file sent twice on a day, from two machines or after a crash, is executed once.
const idempotencyKey = createHash('sha256').update(`${company}\n${text}`).digest('hex')
try {
  const response = await vigencia.exclusions.create({ 'company-tax-id': company, members }, { idempotencyKey })
  const request = await vigencia.requests.wait(response)
  console.log(`${members.length} people, request ${request['request-id']}: ${request.status}`)
} catch (error) {
  if (!(error instanceof InvalidMembersError)) throw error
  for (const { index, offenses } of error) console.log(`line ${index + 1}: ${offenses.join(', ')}`)
  process.exitCode = 1
}
