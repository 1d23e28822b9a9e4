/*
 * Every night: includes the people of the payroll in the products that they do not have yet, and prints the members who are no longer on the payroll.
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

const digits = (taxId = '') => taxId.replaceAll(/\D/g, '')
/** The service compares names of products without case and accents. */
const part = (taxId: string | undefined, product: string) =>
  `${digits(taxId)} ${product.normalize('NFD').replaceAll(/\p{M}/gu, '').trim().toLowerCase()}`
const payroll = JSON.parse(await readFile(file, 'utf8')) as InclusionBody
const company = payroll['company-tax-id']
const onPayroll = new Set(payroll.members.map((member) => digits(member['tax-id'])))

// Who has a benefit, or an open movement to one, and in which product.
const covered = new Set<string>()
const known = new Set<string>()
for await (const benefit of vigencia.benefits.list({ 'company-tax-id': company })) {
  covered.add(benefit['member-tax-id'])
  known.add(part(benefit['member-tax-id'], benefit['product-name']))
}
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
  if (!open.includes(movement.status)) continue
  covered.add(movement['member-tax-id'])
  known.add(part(movement['member-tax-id'], movement['product-name']))
}

const left = [...covered].filter((taxId) => !onPayroll.has(taxId))
console.log(`${left.length} members are not on the payroll${left.length > 0 ? ': see leavers.ts' : ''}`)
// A member whose entry is incomplete is sent as it is: the service lists what is missing.
const members = payroll.members.flatMap((member) => {
  const missing = Object.entries(member.products ?? {}).map(
    ([type, products]) => [type, products.filter(({ name }) => !known.has(part(member['tax-id'], name)))] as const,
  )
  const products = Object.fromEntries(missing.filter(([, of]) => of.length > 0))
  const hasAll = missing.length > 0 && Object.keys(products).length === 0
  return hasAll ? [] : [{ ...member, products }]
})
console.log(`${members.length} people to include`)

if (members.length > 0) {
  try {
    // `lenient` accepts the members without offenses. In staging `resolution` stands in for the operator.
    const resolution = process.env['RESOLUTION'] === 'approve' ? ('approve' as const) : undefined
    const response = await vigencia.inclusions.create({ ...payroll, members }, { handling: 'lenient', resolution })
    for (const { index, offenses } of response.result ?? []) console.log(`line ${index}: ${offenses.join(', ')}`)
    for (const { index, warning } of response.warnings ?? []) console.log(`line ${index}: ${warning}`)
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
