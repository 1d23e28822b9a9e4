import { expect, test } from 'vitest'
import { waitingPeriodOf } from '#coverage/rules/waiting-period.ts'

const facts = {
  acceptedOn: '2026-12-01',
  eventDate: '2026-11-01',
  newbornDate: null,
  lives: '30-or-more',
  contractStart: null,
} as const

test.for([
  ['the 30th day', {}, ['exempt', 'requested-in-time', '2026-12-01']],
  ['the 31st day', { acceptedOn: '2026-12-02' }, ['may-apply', 'requested-late', '2026-12-01']],
  [
    'a contract that started later',
    { acceptedOn: '2026-12-15', contractStart: '2026-11-15' },
    ['exempt', 'requested-in-time', '2026-12-15'],
  ],
  [
    'a contract that started before',
    { acceptedOn: '2026-12-02', contractStart: '2024-03-01' },
    ['may-apply', 'requested-late', '2026-12-01'],
  ],
  ['fewer lives', { lives: 'up-to-29' }, ['may-apply', 'fewer-than-30-lives', null]],
  ['lives that are not known', { lives: null }, ['unknown', 'lives-unknown', '2026-12-01']],
  ['no event', { eventDate: null }, ['unknown', 'event-date-unknown', null]],
  [
    'a newborn of the 30th day, few lives',
    { lives: 'up-to-29', newbornDate: '2026-11-01' },
    ['exempt', 'newborn-in-time', '2026-12-01'],
  ],
  [
    'a newborn of the 31st day, few lives',
    { acceptedOn: '2026-12-02', lives: 'up-to-29', newbornDate: '2026-11-01' },
    ['may-apply', 'fewer-than-30-lives', '2026-12-01'],
  ],
] as const)('%s', ([, changes, expected]) => {
  const { status, reason, 'last-day-for-exemption': last } = waitingPeriodOf({ ...facts, ...changes })
  expect([status, reason, last]).toEqual(expected)
})
