import { completeCpf } from '#kernel/tax-id.ts'

/* People whose data are found nowhere else, and the search for them in all that is written, in six encodings. */

export const cpfs = {
  mother: completeCpf('734519862'),
  child: completeCpf('734519863'),
  corrected: completeCpf('734519864'),
  stranger: completeCpf('734519865'),
  imported: completeCpf('734519866'),
  failing: completeCpf('734519867'),
  invited: completeCpf('734519868'),
  baby: completeCpf('734519869'),
  shipped: completeCpf('734519870'),
  paying: completeCpf('734519871'),
  asked: completeCpf('734519872'),
}

export const dotted = (cpf: string) => cpf.replace(/(\d{3})(\d{3})(\d{3})(\d{2})/, '$1.$2.$3-$4')

export const person = {
  name: 'Xanadu Canarinho Quimera',
  'mothers-name': 'Ofélia Canarinho Quimera',
  'date-of-birth': '1971-03-08',
  gender: 'female',
  'email-private': 'canarinho@quimera.example',
  'email-corporate': 'xanadu@quimera.example',
  phone: '11987650123',
  'employee-id': 'CANARY-EMPLOYEE-77',
  'cost-center': 'CANARY-CENTER-3',
  'job-title': 'Criadora de Quimeras',
  salary: 61_937_284,
  products: { 'health-insurance': [{ name: 'Saúde Essencial', 'start-option': 'on-inclusion-date' }] },
}

export const changes = {
  name: 'Xanadu Pintassilgo',
  'preferred-name': 'Xana Pintassilgo',
  'tax-id': cpfs.corrected,
  email: 'pintassilgo@quimera.example',
  phone: '21976540321',
  'monthly-salary': 84_562_097,
  'bank-number': 'BC-77341-X',
  'bank-branch-number': 'AG-9913-7X',
  'bank-account-number': '55443322-1',
  'bank-account-owners-name': 'Genoveva Tentilhão',
  'bank-account-owners-tax-id': cpfs.stranger,
  cns: '705008734026156',
  pis: '12054789366',
  'birth-declaration-number': '30728419354',
  'identity-document-number': '34.192.708-5X',
  'fathers-name': 'Otávio Canarinho Quimera',
  'address-street': 'Rua do Canário Quimérico',
  'address-postal-code': '01999-777',
  'address-city': 'Canariópolis',
  reason: 'Casou-se com Genoveva Tentilhão',
}

export const fileName = 'curriculo-da-xanadu'
export const gossip = 'fugiu com a vizinha'

/** All that a client sent of people. */
export const canaries: readonly string[] = [
  ...Object.values(cpfs).flatMap((cpf) => [cpf, dotted(cpf)]),
  ...Object.values({ ...person, ...changes }).flatMap((value) =>
    typeof value === 'string' && value !== person.gender ? [value] : [],
  ),
  ...[person.salary, changes['monthly-salary']].map(String),
  'Canarinho',
  'Tentilh',
  'Pintassilgo',
  fileName,
  gossip,
]

/** Base64 of a text as it stands in the base64 of a longer one: at each of the three alignments, in both alphabets. */
function base64s(text: string): string[] {
  const bytes = Buffer.from(text)
  return [0, 1, 2].flatMap((offset) => {
    const all = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64')
    const part = all.slice(Math.ceil((offset * 4) / 3), Math.floor(((offset + bytes.length) * 4) / 3))
    return [part, part.replaceAll('+', '-').replaceAll('/', '_')]
  })
}

/** Encodings that a search without case finds: as it is, for a URL, hexadecimal, JSON escapes. */
function foldedEncodings(text: string): string[] {
  const hex = Buffer.from(text).toString('hex')
  const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  const forUrl = encodeURIComponent(text)
  const all = [
    text,
    forUrl,
    forUrl.replaceAll('%20', '+'),
    hex.replaceAll(/../g, '%$&'),
    hex,
    text.replaceAll(/[^]/g, escaped),
    text.replaceAll(/[^ -~]/g, escaped),
  ]
  return all.map((one) => one.toLowerCase())
}

const needles = canaries.flatMap((canary) => [
  ...base64s(canary).map((needle) => ({ canary, needle, isFolded: false })),
  ...foldedEncodings(canary).map((needle) => ({ canary, needle, isFolded: true })),
])

/** The canaries that a text contains, in whatever encoding. */
export function canariesIn(text: string): string[] {
  const folded = text.toLowerCase()
  const found = needles.filter(({ needle, isFolded }) => (isFolded ? folded : text).includes(needle))
  return [...new Set(found.map(({ canary }) => canary))]
}
