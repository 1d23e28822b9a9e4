import { type InclusionMember, Vigencia } from '@vigencia/client'
const { VIGENCIA_URL: url = 'http://127.0.0.1:3000', VIGENCIA_CLIENT_SECRET: clientSecret = '' } = process.env
const vigencia = new Vigencia({ url, clientId: process.env['VIGENCIA_CLIENT_ID'] ?? 'demo-partner', clientSecret })
const [product] = (await vigencia.products.list()).result
if (product === undefined) throw new Error('The companies of this client have no product')
const person: InclusionMember = {
  'beneficiary-type': 'primary',
  name: 'Iara Campos Reis',
  'tax-id': '462.019.281-38',
  'mothers-name': 'Dulce Campos',
  'date-of-birth': '1990-05-17',
  gender: 'female',
  products: {
    [product['product-type']]: [{ name: product['product-name'], 'start-option': 'on-inclusion-date' }],
  },
}
const inclusion = { 'company-tax-id': product['company-tax-id'], members: [person] }
const accepted = await vigencia.inclusions.create(inclusion, { resolution: 'approve' })
await vigencia.requests.wait(accepted)
for await (const { profile, benefits } of vigencia.members.stream()) console.log(profile.name, benefits[0]?.status)
