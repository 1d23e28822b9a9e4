import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { ENROLLMENT_STATUSES as states } from '#kernel/enums.ts'
import { mayTransition } from '#coverage/rules/enrollment-status.ts'
import { type EnrollmentFacts, judgeTransitions } from '#movements/rules/transitions.ts'

const inclusion = fc.record({
  status: fc.constantFrom(...states),
  reachedCarrier: fc.boolean(),
  memberType: fc.constantFrom('primary' as const, 'dependent' as const),
  family: fc.integer({ min: 0, max: 3 }),
  productId: fc.constantFrom('health', 'dental'),
  primaryActive: fc.boolean(),
})

const families = fc.array(inclusion, { maxLength: 12 }).map((rows) =>
  rows.map(({ family, ...row }, n): EnrollmentFacts => ({
    ...row,
    id: `e${n}`,
    memberId: row.memberType === 'primary' ? `p${family}` : `d${n}`,
    primaryMemberId: row.memberType === 'primary' ? null : `p${family}`,
    primaryActive: row.memberType === 'dependent' && row.primaryActive,
    enrollmentType: 'inclusion',
    primaryEnrollmentId: null,
    extensionPlan: false,
    impossible: false,
    endsBeforeStart: false,
  })),
)

test('for any families and order: every requested id has one result, and no terminal status changes', () => {
  fc.assert(
    fc.property(families, fc.constantFrom(...states), fc.infiniteStream(fc.boolean()), (rows, to, coin) => {
      const requested = rows.filter(() => coin.next().value)
      const targets = new Map(requested.map(({ id }) => [id, { status: to, reason: 'why' }]))
      const { results, steps } = judgeTransitions(rows, targets)
      expect([...results.keys()].toSorted()).toEqual([...targets.keys()].toSorted())
      const shuffled = judgeTransitions(rows.toReversed(), targets)
      expect(shuffled.results).toEqual(results)
      const byId = new Map(rows.map((row) => [row.id, row]))
      expect(new Set(steps.map((step) => step.id)).size).toBe(steps.length)
      for (const step of steps)
        expect(mayTransition(byId.get(step.id)!.status, step.status, byId.get(step.id)!.reachedCarrier)).toBe(true)
      for (const [id, result] of results) if (result.accepted) expect(steps.some((step) => step.id === id)).toBe(true)
    }),
  )
})

test('a dependent completes only with an active primary, which the same call may activate', () => {
  fc.assert(
    fc.property(families, (rows) => {
      const targets = new Map(rows.map(({ id }) => [id, { status: 'completed', reason: null } as const]))
      const { steps } = judgeTransitions(rows, targets)
      const done = new Set(steps.map((step) => step.id))
      for (const row of rows.filter((one) => done.has(one.id) && one.memberType === 'dependent')) {
        const activated = rows.some(
          (one) =>
            one.memberType === 'primary' &&
            one.memberId === row.primaryMemberId &&
            one.productId === row.productId &&
            done.has(one.id),
        )
        expect(row.primaryActive || activated).toBe(true)
      }
    }),
  )
})

test('for any families and targets: a refused transition is not among those that the enrollment is said to allow', () => {
  fc.assert(
    fc.property(families, fc.infiniteStream(fc.constantFrom(...states)), (rows, next) => {
      const targets = new Map(rows.map(({ id }) => [id, { status: next.next().value, reason: 'why' }]))
      const { results, steps } = judgeTransitions(rows, targets)
      for (const [id, result] of results) {
        if (!result.accepted) expect(result.allowed).not.toContain(targets.get(id)?.status)
      }
      for (const { id, cause, status } of steps) {
        if (id === cause) expect(status).toBe(targets.get(id)?.status)
        else expect([status, rows.find((row) => row.id === cause)?.memberType]).toEqual(['rejected', 'primary'])
      }
    }),
  )
})

test.each([
  ['completed', false, ['completed', 'completed', 'rejected']],
  ['completed', true, ['completed', 'completed', 'created']],
  ['rejected', false, ['rejected', 'created', 'created']],
  ['cancelled', false, ['cancelled', 'created', 'created']],
] as const)(
  'a primary’s exclusion that is %s, extension plan %s: its part, a dependent’s own exclusion and an open inclusion become %s',
  (to, extensionPlan, expected) => {
    const primary: EnrollmentFacts = {
      id: 'p',
      enrollmentType: 'exclusion',
      status: 'created',
      reachedCarrier: false,
      memberId: 'mother',
      memberType: 'primary',
      primaryMemberId: null,
      productId: 'health',
      primaryEnrollmentId: null,
      extensionPlan,
      primaryActive: false,
      impossible: false,
      endsBeforeStart: false,
    }
    const of = (id: string, more: Partial<EnrollmentFacts>): EnrollmentFacts => ({
      ...primary,
      id,
      memberId: id,
      memberType: 'dependent',
      primaryMemberId: 'mother',
      extensionPlan: false,
      ...more,
    })
    const part = of('part', { primaryEnrollmentId: 'p' })
    const own = of('own', {})
    const joining = of('joining', { enrollmentType: 'inclusion' })
    const elsewhere = of('elsewhere', { enrollmentType: 'inclusion', productId: 'dental' })
    const { steps } = judgeTransitions(
      [primary, part, own, joining, elsewhere],
      new Map([['p', { status: to, reason: 'why' }]]),
    )
    const statusOf = (id: string) => steps.find((step) => step.id === id)?.status ?? 'created'
    expect(['part', 'own', 'joining'].map(statusOf)).toEqual(expected)
    expect(statusOf('elsewhere')).toBe('created')
    const rejected = steps.find((step) => step.id === 'joining')
    if (rejected !== undefined) expect(rejected.reason).toBe("Primary member's benefit was excluded")
  },
)
