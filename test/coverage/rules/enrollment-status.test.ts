import { expect, test } from 'vitest'
import { explainTransition, transitionEvents, mayTransition } from '#coverage/rules/enrollment-status.ts'
import { ENROLLMENT_STATUSES as states } from '#kernel/enums.ts'
import { englishOf } from '#kernel/texts/messages.ts'

const allowed: Record<string, string[]> = {
  created: ['broker-processing', 'pending-documents', 'pending-correction', 'completed', 'rejected', 'cancelled'],
  'broker-processing': [
    'carrier-processing',
    'pending-documents',
    'pending-correction',
    'completed',
    'rejected',
    'cancelled',
  ],
  'carrier-processing': ['pending-documents', 'pending-correction', 'completed', 'rejected'],
  scheduled: ['created', 'completed', 'rejected', 'cancelled'],
  'pending-documents': ['created', 'broker-processing', 'carrier-processing', 'completed', 'rejected', 'cancelled'],
  'pending-correction': ['created', 'broker-processing', 'carrier-processing', 'completed', 'rejected', 'cancelled'],
  completed: [],
  rejected: [],
  cancelled: [],
}

test.each(states.flatMap((from) => states.map((to) => [from, to] as const)))(
  '%s to %s is as the contract has it',
  (from, to) => {
    expect(mayTransition(from, to, from === 'carrier-processing')).toBe(allowed[from]?.includes(to) ?? false)
  },
)

test('nothing is cancelled once it reached the carrier, whatever its status is now', () => {
  expect(states.filter((from) => mayTransition(from, 'cancelled', true))).toEqual([])
})

test('both pending statuses have the same event', () => {
  expect(Object.fromEntries(states.map((state) => [state, transitionEvents[state]]))).toEqual({
    scheduled: 'enrollment.updated',
    created: 'enrollment.updated',
    'broker-processing': 'enrollment.updated',
    'carrier-processing': 'enrollment.updated',
    'pending-documents': 'enrollment.pending',
    'pending-correction': 'enrollment.pending',
    completed: 'enrollment.completed',
    rejected: 'enrollment.rejected',
    cancelled: 'enrollment.cancelled',
  })
})

test.each([
  ['completed', 'rejected', [], 'Enrollment is already completed, which is final'],
  ['created', 'created', ['completed'], 'Enrollment is already created; it can become completed'],
  [
    'scheduled',
    'broker-processing',
    ['created'],
    'Enrollment is scheduled and cannot become broker-processing; it can become created',
  ],
] as const)('%s to %s is explained', (from, to, allowedNow, sentence) => {
  expect(englishOf(explainTransition(from, to, allowedNow))).toBe(sentence)
})
