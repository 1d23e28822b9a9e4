/*
 * Every night: sends the whole list of who should be covered, prints what differs, and confirms inclusions and corrections. Exclusions stay proposed:
 * somebody confirms them in the console, with their last day and reason.
 *
 *   node sdk/examples/roster-sync.ts 12ABC34501DE35 payroll.csv
 *
 * The file has a line for each person and product. Run it again after a failure: a list is compared with what is there, so nothing is done twice.
 */
import { RosterSyncError, Vigencia } from '@vigencia/client'

const [company = '', file = 'payroll.csv'] = process.argv.slice(2)
const vigencia = new Vigencia({
  url: process.env['VIGENCIA_URL'] ?? 'http://127.0.0.1:3000',
  clientId: process.env['VIGENCIA_CLIENT_ID'] ?? 'demo-partner',
  clientSecret: process.env['VIGENCIA_CLIENT_SECRET'] ?? '',
})

try {
  const comparison = await vigencia.roster.sync(file, {
    companyTaxId: company,
    // The list has everybody, with all their products: who is absent has left.
    states: ['people', 'products'],
    defaults: { 'start-option': 'on-next-billing-period' },
  })
  console.log(String(comparison))
  const classes = ['inclusion', 'correction'] as const
  let complete = 0
  const except: number[] = []
  for await (const item of comparison.items({ status: 'proposed' })) {
    const lacking = [...item.needs, ...item.offenses]
    const isComplete = lacking.length === 0
    const fields = item.differences.map(({ field }) => field)
    console.log(item.class, item.name, ...(isComplete ? fields : ['needs', lacking.join(', ')]))
    if (!classes.some((one) => one === item.class)) continue
    if (isComplete) complete += 1
    else except.push(item.number)
  }
  if (complete > 0) {
    const draft = await comparison.confirm({ classes: [...classes], except })
    console.log(`${complete} confirmed, requests: ${draft['request-ids'].join(', ')}`)
  }
  if (comparison.draft?.status === 'open' || comparison.sync.doubts.length > 0) process.exitCode = 1
} catch (error) {
  // The list cannot be read: problems name the line or the heading.
  if (!(error instanceof RosterSyncError)) throw error
  for (const { problem, field, line } of error.problems) console.log(problem, field ?? '', line ?? '')
  process.exitCode = 1
}
