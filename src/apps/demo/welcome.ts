import { completeCpf } from '#kernel/tax-id.ts'
import type { LocalDate } from '#kernel/calendar.ts'
import type { Demo, DemoClient } from './demo.ts'
import { demoInvoiceId } from './invoices.ts'

/**
 * The message of the demo at start: commands to paste, from a token to an active family, then clients and pages. What a person needs
 * again comes last, where a small terminal still shows it.
 */
export function welcome(url: string, demo: Demo, today: LocalDate): string {
  const { companyTaxId, partner, operator } = demo
  const anotherPartner = `Make another: npx vigencia client create "Demo partner" --company ${companyTaxId}`
  const startOver = 'Or start over: stop the service, npx vigencia demo reset, npm start'
  const anotherOperator = 'Another admin makes operators: POST /operator/v1/operator'
  const commands = partner === null ? '' : commandsToPaste(url, companyTaxId, partner, today)
  return `${commands}
Demo company   Padaria Aurora Ltda., CNPJ ${companyTaxId}
Demo partner   ${partner === null ? `demo-partner is revoked. ${anotherPartner}${indent}${startOver}` : shown(partner)}
Demo operator  ${operator === null ? `demo-operator is revoked. ${anotherOperator}` : shown(operator)}
Start page     ${url}/
Console        ${url}/console/
API reference  ${url}/docs

Next: ${partner === null ? '' : 'paste the three lines under "Try it" into another terminal, or '}open the start page, or sign in to the console as the operator.`
}

/** Before a line that continues the one of a client. */
const indent = `\n${' '.repeat(15)}`

const shown = ({ clientId, clientSecret }: DemoClient) => `${clientId}  ${clientSecret}`

function commandsToPaste(url: string, companyTaxId: string, partner: DemoClient, today: LocalDate): string {
  // A new family at every start, so that the commands work again on the same data.
  const nine = String(100_000_000 + (Date.now() % 800_000_000))
  const mother = completeCpf(nine)
  const child = completeCpf(String(Number(nine) + 1))
  const products = { 'health-insurance': [{ name: 'Saúde Essencial', 'start-option': 'on-inclusion-date' }] }
  const family = {
    'company-tax-id': companyTaxId,
    members: [
      {
        'beneficiary-type': 'primary',
        name: 'Helena Brandão Souza',
        'tax-id': mother,
        'mothers-name': 'Fátima Brandão',
        'date-of-birth': '1990-05-17',
        gender: 'female',
        'admission-date': today,
        products,
      },
      {
        'beneficiary-type': 'dependent',
        'primary-member-tax-id': mother,
        'dependent-type': 'child',
        name: 'Davi Brandão Souza',
        'tax-id': child,
        'mothers-name': 'Helena Brandão Souza',
        'date-of-birth': '2020-01-31',
        gender: 'male',
        products,
      },
    ],
  }
  const exclusion = { 'exclusion-details': { 'end-date': today, 'exclusion-reason': 'loss-of-dependent-status' } }
  const credentials = JSON.stringify({ 'client-id': partner.clientId, 'client-secret': partner.clientSecret })
  const json = `-H 'Content-Type: application/json'`
  const bearer = '-H "Authorization: Bearer $TOKEN"'
  return `
Try it: paste these three lines into another terminal.

# 1. Get a token.
TOKEN=$(curl -s ${url}/v1/authenticate ${json} -d '${credentials}' | sed 's/.*"access-token":"\\([^"]*\\)".*/\\1/')

# 2. Include a mother and her child; resolution=approve stands in for the operator, in staging only.
curl -s "${url}/v1/enrollment/inclusion?resolution=approve" ${bearer} ${json} -d '${JSON.stringify(family)}'; echo

# 3. Watch it become active (it takes a moment: paste it again if the list is still empty).
sleep 1; curl -s ${url}/v1/member ${bearer}; echo

# And an exclusion: the child, as a dependent of the mother.
curl -s "${url}/v1/enrollment/exclusion/${child}/dependent-of/${mother}?resolution=approve" ${bearer} ${json} -d '${JSON.stringify(exclusion)}'; echo

# And an invoice's files, as a ZIP: curl -s ${bearer} -o ${demoInvoiceId}.zip ${url}/v1/invoices/${demoInvoiceId}/download

# And what waits for a carrier's answer: npx vigencia shipment list
`
}
