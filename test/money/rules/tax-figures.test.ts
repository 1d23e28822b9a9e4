import { describe, expect, test } from 'vitest'
import { employeeFigures, type FamilyCharge } from '#money/rules/tax-figures.ts'

const carrierTaxId = '11222333000181'
const one = { id: 'one', taxId: '52998224725' }
const two = { id: 'two', taxId: '11144477735' }
const charge = (of: Partial<FamilyCharge>): FamilyCharge => ({
  carrierTaxId,
  ansRegistration: '123456',
  dependent: null,
  cost: 0,
  employeeCost: 0,
  ...of,
})

describe('the examples of the eSocial manual', () => {
  test('250 for each of three, of which the employee pays 50, 150 and 250: 9911 is 750, 9219 is 450', () => {
    const figures = employeeFigures([
      charge({ cost: 25_000, employeeCost: 5_000 }),
      charge({ dependent: one, cost: 25_000, employeeCost: 15_000 }),
      charge({ dependent: two, cost: 25_000, employeeCost: 25_000 }),
    ])
    expect(figures).toEqual({
      wholeCost: 75_000,
      deducted: 45_000,
      plans: [
        {
          carrierTaxId,
          ansRegistration: '123456',
          employee: 5_000,
          dependents: [
            { ...one, amount: 15_000 },
            { ...two, amount: 25_000 },
          ],
          errors: [],
        },
      ],
    })
  })

  test('250, of which the employee pays 50, and a co-participation of 80: 9911 is 330, 9219 is 130', () => {
    const figures = employeeFigures([
      charge({ cost: 25_000, employeeCost: 5_000 }),
      charge({ cost: 8_000, employeeCost: 8_000 }),
    ])
    expect(figures).toMatchObject({
      wholeCost: 33_000,
      deducted: 13_000,
      plans: [{ employee: 13_000, dependents: [] }],
    })
  })
})

test('nothing is declared where the employer pays all', () => {
  expect(employeeFigures([charge({ cost: 25_000 }), charge({ dependent: one, cost: 25_000 })])).toBeNull()
})

test('a dependent for whom nothing was charged is left out, and one without a CPF is reported', () => {
  const figures = employeeFigures([
    charge({ cost: 25_000, employeeCost: 5_000 }),
    charge({ dependent: one, cost: 25_000 }),
    charge({ dependent: { id: 'two', taxId: null }, cost: 25_000, employeeCost: 100 }),
  ])
  expect(figures?.plans).toMatchObject([
    { dependents: [{ id: 'two', taxId: null, amount: 100 }], errors: ['dependent-without-tax-id'] },
  ])
})

test('a carrier with several registrations is declared once, with that of the highest amount; another carrier by itself', () => {
  const dental = { carrierTaxId: null, ansRegistration: '654321' }
  const figures = employeeFigures([
    charge({ cost: 9_000, employeeCost: 1_000, ansRegistration: '111111' }),
    charge({ cost: 9_000, employeeCost: 2_000, ansRegistration: '222222' }),
    charge({ dependent: one, cost: 9_000, employeeCost: 1_500, ansRegistration: '111111' }),
    charge({ ...dental, cost: 3_000, employeeCost: 3_000 }),
  ])
  expect(figures?.plans).toMatchObject([
    { carrierTaxId, ansRegistration: '111111', employee: 3_000, dependents: [{ amount: 1_500 }], errors: [] },
    { ...dental, employee: 3_000, errors: ['carrier-without-tax-id'] },
  ])
})

test('a credit larger than the charges of a person is zero for that person', () => {
  const figures = employeeFigures([
    charge({ cost: 25_000, employeeCost: 5_000 }),
    charge({ dependent: one, cost: -9_000, employeeCost: -1_000 }),
  ])
  expect(figures).toMatchObject({ deducted: 4_000, plans: [{ employee: 5_000, dependents: [] }] })
})

test('what an employee pays is not guessed: where it is not known, the carrier is reported', () => {
  const figures = employeeFigures([
    charge({ cost: 25_000, employeeCost: null }),
    charge({ dependent: one, cost: 25_000, employeeCost: 1_000 }),
  ])
  expect(figures).toMatchObject({ deducted: 1_000, plans: [{ employee: 0, errors: ['employee-amount-unknown'] }] })
  expect(employeeFigures([charge({ cost: 25_000, employeeCost: null })])?.plans).toHaveLength(1)
})
