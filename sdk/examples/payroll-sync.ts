/*
 * Every night: includes the people of the payroll who have no benefit yet, and prints the members who are no longer on the payroll.
 *
 *   node sdk/examples/payroll-sync.ts payroll.json
 *
 * The file is an inclusion: { "company-tax-id": ..., "members": [...] }. Run it again after a failure: it includes nobody twice.
 */
import { readFile } from 'node:fs/promises'
import { InvalidMembersError, Vigencia, type InclusionBody } from '@vigencia/client'

const [file = 'payroll.json'] = process.argv.slice(2)
const vigencia = new Vigencia({
  url: process.env['VIGENCIA_URL'] ?? 'http://127.0.0.1:3000',
  clientId: process.env['VIGENCIA_CLIENT_ID'] ?? 'demo-partner',
  clientSecret: process.env['VIGENCIA_CLIENT_SECRET'] ?? '',
})

const digits = (taxId: string) => taxId.replaceAll(/\D/g, '')
const payroll = JSON.parse(await readFile(file, 'utf8')) as InclusionBody
const company = payroll['company-tax-id']
const onPayroll = new Set(payroll.members.map((member) => digits(member['tax-id'])))

// Who has a benefit, or an open movement to one.
const known = new Set<string>()
for await (const benefit of vigencia.benefits.list({ 'company-tax-id': company })) known.add(benefit['member-tax-id'])
const open = [
  'created',
  'scheduled',
  'broker-processing',
  'carrier-processing',
  'pending-documents',
  'pending-correction',
]
for await (const movement of vigencia.enrollments.history({
  'company-tax-id': company,
  'enrollment-type': 'inclusion',
})) {
  if (open.includes(movement.status)) known.add(movement['member-tax-id'])
}

const left = [...known].filter((taxId) => !onPayroll.has(taxId))
console.log(`${left.length} members are not on the payroll${left.length > 0 ? ': see leavers.ts' : ''}`)
const members = payroll.members.filter((member) => !known.has(digits(member['tax-id'])))
console.log(`${members.length} people to include`)

if (members.length > 0) {
  try {
    // `lenient` accepts the members without offenses. In staging `resolution` stands in for the operator.
    const resolution = process.env['RESOLUTION'] === 'approve' ? ('approve' as const) : undefined
    const response = await vigencia.inclusions.create({ ...payroll, members }, { handling: 'lenient', resolution })
    for (const { index, offenses } of response.result ?? []) console.log(`line ${index}: ${offenses.join(', ')}`)
    const request = await vigencia.requests.wait(response['request-id'] ?? '', {
      onProgress: ({ status, 'enrollment-summary': summary }) => console.log(status, JSON.stringify(summary)),
    })
    if (request.status !== 'completed') process.exitCode = 1
  } catch (error) {
    // No member was valid.
    if (!(error instanceof InvalidMembersError)) throw error
    for (const { index, offenses } of error) console.log(`line ${index}: ${offenses.join(', ')}`)
    process.exitCode = 1
  }
}
