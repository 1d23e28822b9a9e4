import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { correct, judgeChanges, type ServedEnrollment } from '#movements/rules/answer-effects.ts'
import { answerChanges } from '#movements/rules/diff.ts'
import { changeableFields, parseAnswer, parseChanges } from '#movements/rules/answer.ts'
import { addDays } from '#kernel/calendar.ts'
import { MOVEMENT_KINDS } from '#kernel/enums.ts'

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
  dependentType: null,
  benefitId: 'b1',
  startDate: '2026-11-02',
  startOption: 'on-admission-date',
  allowedDependentTypes: ['child'],
  isPrimaryKept: false,
  isContributory: false,
  isTransfer: false,
  isExtensionRefused: false,
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

describe('what an answer changed', () => {
  const document = { 'document-id': '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21', 'document-type': 'other' } as const
  const changesOf = (enrollment: ServedEnrollment, data: Record<string, unknown>, documents = [document]) => {
    const changes = parseChanges(enrollment.enrollmentType, data, today)
    expect(changes.errors).toEqual([])
    const [corrected] = correct({ documents, data, comment: null }, changes, [enrollment], today)
    return corrected === undefined ? null : answerChanges(corrected, changes.values)
  }

  test.each<[string, Partial<ServedEnrollment>, Record<string, unknown>, unknown[]]>([
    [
      'of an inclusion, but for what was so already',
      {},
      { name: 'Helena Brandão', phone: '11987654321', 'mothers-name': 'Tereza' },
      [
        { field: 'name', old: 'Helena', new: 'Helena Brandão' },
        { field: 'mothers-name', old: null, new: 'Tereza' },
      ],
    ],
    ['that removes a value', {}, { phone: null }, [{ field: 'phone', old: '11987654321', new: null }]],
    [
      'of a dependent',
      { memberType: 'dependent', dependentType: 'child' },
      { 'dependent-type': 'stepchild' },
      [{ field: 'dependent-type', old: 'child', new: 'stepchild' }],
    ],
    [
      'of an exclusion',
      {
        enrollmentType: 'exclusion',
        data: { 'exclusion-details': { 'end-date': '2026-12-01', 'exclusion-reason': 'dismissal' }, documents: [] },
      },
      { 'end-date': '2026-12-05' },
      [{ field: 'end-date', old: '2026-12-01', new: '2026-12-05' }],
    ],
    [
      'of an alteration that was sent with the field and without it',
      { enrollmentType: 'alteration', data: { 'alteration-data': { phone: '11987654321' }, documents: [] } },
      { phone: '11912345678', 'marital-status': 'married' },
      [
        { field: 'phone', old: '11987654321', new: '11912345678' },
        { field: 'marital-status', old: null, new: 'married' },
      ],
    ],
  ])('%s', (_name, more, data, expected) => {
    expect(changesOf(served(more), data, [])).toEqual(expected)
    expect(changesOf(served(more), data)?.at(-1)).toEqual({ field: 'documents', old: 0, new: 1 })
  })

  test('is nothing for a dependent whose start follows', () => {
    expect(
      changesOf(served({ isFollower: true, memberType: 'dependent' }), { 'admission-date': '2026-11-20' }),
    ).toEqual([])
  })
})
