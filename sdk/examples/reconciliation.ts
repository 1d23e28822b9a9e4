/*
 * Compares the members of a company with those of another system, and prints the differences by CPF.
 *
 *   node sdk/examples/reconciliation.ts 11222333000181 theirs.json
 *
 * The file has the products of each person: { "52998224725": ["Saúde Essencial"], ... }. Both lists may be large: the members are streamed.
 */
import { readFile } from 'node:fs/promises'
import { Vigencia } from '@vigencia/client'

const [company = '', file = 'theirs.json'] = process.argv.slice(2)
const vigencia = new Vigencia({
  url: process.env['VIGENCIA_URL'] ?? 'http://127.0.0.1:3000',
  clientId: process.env['VIGENCIA_CLIENT_ID'] ?? 'demo-partner',
  clientSecret: process.env['VIGENCIA_CLIENT_SECRET'] ?? '',
})

const theirs = new Map(Object.entries(JSON.parse(await readFile(file, 'utf8')) as Record<string, string[]>))
let differences = 0
const report = (taxId: string, product: string, difference: string) => {
  differences += 1
  console.log(`${taxId} ${product}: ${difference}`)
}

for await (const { profile, benefits } of vigencia.members.stream()) {
  const expected = new Set(theirs.get(profile['tax-id']))
  // The list has the people of all companies of the client.
  for (const { 'company-tax-id': of, 'product-name': product } of benefits) {
    if (of !== company) continue
    if (!expected.delete(product)) report(profile['tax-id'], product, 'active here only')
  }
  for (const product of expected) report(profile['tax-id'], product, 'active there only')
  theirs.delete(profile['tax-id'])
}
for (const [taxId, products] of theirs) for (const product of products) report(taxId, product, 'active there only')
console.log(`${differences} differences`)
process.exitCode = differences === 0 ? 0 : 1
