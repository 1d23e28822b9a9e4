import { expect, test } from 'vitest'
import { inapplicableFields } from '#coverage/rules/completion-fields.ts'
import { ENROLLMENT_STATUSES } from '#kernel/enums.ts'

const all = { cardNumber: '1', startDate: '2026-12-01', endDate: '2026-12-01' }

test.each([
  ['inclusion', false, null, ['end-date']],
  ['exclusion', false, null, ['card-number', 'start-date']],
  ['alteration', true, null, ['end-date']],
  ['alteration', false, null, ['card-number', 'start-date', 'end-date']],
  ['alteration', false, 'second-card', ['start-date', 'end-date']],
  ['alteration', false, 'contract-transfer', ['start-date', 'end-date']],
] as const)(
  'completing an %s (transfer: %s, %s) does not take %j',
  (enrollmentType, isTransfer, alterationKind, fields) => {
    const movement = { enrollmentType, isTransfer, alterationKind }
    expect(inapplicableFields({ status: 'completed', ...all }, movement)).toEqual(fields)
    expect(inapplicableFields({ status: 'completed', startDate: null }, movement)).toEqual([])
  },
)

test.each(ENROLLMENT_STATUSES.filter((status) => status !== 'completed'))('%s takes none of them', (status) => {
  expect(inapplicableFields({ status, ...all }, null)).toEqual(['card-number', 'start-date', 'end-date'])
})

test('completing takes all of them while the movement is not known', () => {
  expect(inapplicableFields({ status: 'completed', ...all }, null)).toEqual([])
})
