import type { LayoutInput } from '../layout.ts'
import { between } from './columns.ts'

const genders = { '1': 'male', '2': 'female', '0': '' } as const
const maritalStatuses = { '1': 'single', '2': 'married', '3': 'widowed', '4': 'others', '0': '' } as const
const relationships = {
  '0': 'primary',
  '1': 'spouse',
  '2': 'child',
  '3': 'parent',
  '4': 'parent',
  '5': 'parent-in-law',
  '6': 'parent-in-law',
  '7': 'ward',
  '8': 'other',
} as const

const day = { format: 'date:yyyyMMdd' } as const
const type = (equals: string) => ({ at: 1, length: 1, equals }) as const
const person = [between(2, 4, 'contract.sub-contract'), between(5, 11, 'benefit.certificate', { required: true })]
const primary = [
  ...person,
  between(12, 46, 'person.name', { required: true }),
  between(47, 57, 'registration.employee-id'),
]

/** Bradesco Saúde's roster. Its days of two digits for the year are not read: each is there with four. */
export const bradescoRoster: Readonly<Record<'bradesco-roster', LayoutInput>> = {
  'bradesco-roster': {
    name: 'Bradesco Saúde: cadastro, 180 posições',
    direction: 'roster',
    source:
      'Bradesco Saúde “cadastro”, 180 characters: positions as public code that reads it has them, not verified on a file.',
    definition: {
      format: 'fixed-width',
      'record-length': 180,
      records: [
        {
          name: 'header',
          match: type('1'),
          columns: [
            between(19, 24, 'contract.contract-number'),
            between(25, 30, 'roster.reference-month', { format: 'date:yyMMdd' }),
          ],
        },
        {
          name: 'primary',
          match: type('2'),
          columns: [
            ...primary,
            between(58, 58, 'person.gender', { map: genders }),
            between(65, 65, 'person.marital-status', { map: maritalStatuses }),
            between(66, 76, 'person.tax-id'),
            between(77, 96, 'registration.job-title'),
            between(109, 112, 'plan.carrier-plan-code'),
            between(113, 124, 'benefit.special-registration'),
            between(125, 132, 'person.date-of-birth', day),
            between(133, 140, 'registration.admission-date', day),
            between(141, 148, 'benefit.start-date', day),
            between(157, 164, 'benefit.reactivation-date', day),
          ],
        },
        {
          name: 'complement',
          match: type('5'),
          completes: 'primary',
          columns: [
            ...primary,
            between(58, 72, 'benefit.card-number'),
            between(73, 107, 'person.mothers-name'),
            between(108, 119, 'benefit.special-registration'),
          ],
        },
        {
          name: 'bank',
          match: type('9'),
          completes: 'primary',
          columns: [
            ...primary,
            between(58, 60, 'bank.number'),
            between(61, 64, 'bank.branch-number'),
            between(67, 79, 'bank.account-number'),
            between(82, 93, 'benefit.special-registration'),
          ],
        },
        {
          name: 'dependent',
          match: type('3'),
          columns: [
            ...person,
            between(12, 13, 'benefit.dependent-code'),
            between(14, 48, 'person.name', { required: true }),
            between(55, 55, 'person.gender', { map: genders }),
            between(56, 56, 'person.marital-status', { map: maritalStatuses }),
            between(57, 57, 'person.relationship', { map: relationships }),
            between(64, 75, 'primary.special-registration'),
            between(76, 83, 'person.date-of-birth', day),
            between(84, 91, 'benefit.start-date', day),
            between(92, 103, 'benefit.special-registration'),
            between(104, 111, 'benefit.reactivation-date', day),
            between(112, 119, 'benefit.end-date', day),
            between(120, 130, 'person.tax-id'),
            between(131, 145, 'benefit.card-number'),
            between(146, 180, 'person.mothers-name'),
          ],
        },
        { name: 'trailer', match: type('4'), columns: [between(2, 16, null)] },
      ],
    },
  },
}
