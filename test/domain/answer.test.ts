import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { correct, judgeChanges, type ServedEnrollment } from '../../src/domain/answer-effects.ts'
import { changeableFields, parseAnswer, parseChanges } from '../../src/domain/answer.ts'
import { addDays } from '../../src/domain/calendar.ts'
import { MOVEMENT_KINDS } from '../../src/domain/enums.ts'

const today = '2026-11-23'
const nothing = { documents: [], data: {}, comment: null }

const served = (more: Partial<ServedEnrollment> = {}): ServedEnrollment => ({
  id: 'e1',
  requestId: 'r1',
  reference: null,
  enrollmentType: 'inclusion',
  alterationKind: null,
  status: 'pending-correction',
  queueStatus: 'created',
  pendingItems: [],
  memberId: 'm1',
  memberType: 'primary',
  benefitId: 'b1',
  startDate: '2026-11-02',
  startOption: 'on-admission-date',
  allowedDependentTypes: ['child'],
  isPrimaryKept: false,
  isContributory: false,
  isTransfer: false,
  updatesProfile: false,
  isFollower: false,
  isApplied: false,
  data: { name: 'Helena', phone: '11987654321', 'admission-date': '2026-11-02', documents: [] },
  scheduledActionDate: null,
  scheduledReason: null,
  ...more,
})

describe('the body', () => {
  test.each([
    [{ comment: ' Certo ' }, { ...nothing, comment: 'Certo' }],
    [
      { data: { name: 'x' }, comment: null, documents: null },
      { ...nothing, data: { name: 'x' } },
    ],
  ])('%j is an answer', (body, value) => {
    expect(parseAnswer(body)).toEqual({ ok: true, value })
  })

  test.each([
    [{}, ['documents missing', 'data missing', 'comment missing']],
    [{ documents: [], data: {}, comment: '' }, ['documents missing', 'data missing', 'comment missing']],
    [
      { documents: {}, data: 'x', comment: 7, extra: 1 },
      ['extra unknown', 'documents invalid', 'data invalid', 'comment invalid'],
    ],
  ])('%j is refused', (body, expected) => {
    const parsed = parseAnswer(body)
    expect(parsed.ok ? [] : parsed.details.map(({ field, code }) => `${field} ${code}`)).toEqual(expected)
  })
})

describe('data', () => {
  const value = fc.oneof(
    fc.constantFrom(null, '', ' ', 'x', '2026-11-23', '2027-01-01', '1990-05-17', 'male', 'dismissal', true, 7, 1.5),
    fc.string(),
    fc.anything(),
  )
  const anyKey = fc
    .constantFrom(...MOVEMENT_KINDS)
    .chain((type) =>
      fc.record({ type: fc.constant(type), key: fc.constantFrom(...Object.keys(changeableFields(type))), value }),
    )

  test('a value is taken exactly when the field of the movement takes it', () => {
    fc.assert(
      fc.property(anyKey, ({ type, key, value: sent }) => {
        const field = changeableFields(type)[key]
        const parsed = field?.parse(sent)
        const { values, errors } = parseChanges(type, { [key]: sent }, today)
        const isLateBirth = key === 'date-of-birth' && typeof parsed === 'string' && parsed > today
        if (parsed === undefined && field?.presence === 'optional') expect([...values.values()]).toEqual([null])
        else if (parsed === undefined || parsed === null || isLateBirth) expect(errors).toHaveLength(1)
        else expect([...values.values()]).toEqual([parsed])
      }),
    )
  })

  test('no other key is taken, whatever it is called', () => {
    fc.assert(
      fc.property(fc.constantFrom(...MOVEMENT_KINDS), fc.string(), (type, key) => {
        fc.pre(!Object.hasOwn(changeableFields(type), key))
        expect(parseChanges(type, { [key]: 'x' }, today)).toMatchObject({ errors: [{ code: expect.any(String) }] })
      }),
    )
    for (const key of ['__proto__', 'constructor', 'toString']) {
      const { errors } = parseChanges('inclusion', JSON.parse(`{"${key}":"x"}`) as Record<string, unknown>, today)
      expect(errors).toEqual([{ field: `data.${key}`, code: 'unknown' }])
    }
  })
})

describe('a corrected inclusion', () => {
  const corrected = (data: Record<string, unknown>, ...enrollments: ServedEnrollment[]) =>
    correct(nothing, parseChanges('inclusion', data, today), enrollments, today)

  test('starts on the admission date, and waits for it only when it is in the future', () => {
    fc.assert(
      fc.property(fc.integer({ min: -400, max: 400 }), (days) => {
        const day = addDays(today, days)
        const [one] = corrected({ 'admission-date': day }, served())
        expect(one).toMatchObject({
          startDate: day,
          scheduledActionDate: days > 0 ? day : null,
          scheduledReason: days > 0 ? 'future-admission-date' : null,
        })
      }),
    )
  })

  test('keeps the start of another option, and the data of dependents who follow', () => {
    const follower = served({ isFollower: true, memberType: 'dependent', data: { name: 'Davi', documents: [] } })
    const [own, other, child] = corrected(
      { 'admission-date': '2026-12-01', name: 'Tereza', phone: null },
      served(),
      served({ startOption: 'on-inclusion-date', scheduledActionDate: null }),
      follower,
    )
    expect([own?.startDate, other?.startDate, child?.startDate]).toEqual(['2026-12-01', null, '2026-12-01'])
    expect(own?.data).toEqual({ name: 'Tereza', 'admission-date': '2026-12-01', documents: [] })
    expect(child?.data).toEqual({ name: 'Davi', documents: [] })
    expect(corrected({ name: 'Tereza' }, follower)).toEqual([])
  })

  test('does not lose the admission date that a benefit starts on', () => {
    const judged = (enrollment: ServedEnrollment) =>
      judgeChanges(parseChanges('inclusion', { 'admission-date': null }, today), enrollment, [enrollment], today)
    expect(judged(served())).toEqual([{ field: 'data.admission-date', code: 'missing' }])
    expect(judged(served({ startOption: 'on-inclusion-date' }))).toEqual([])
  })
})
