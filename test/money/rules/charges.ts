import type { ChargedPerson, UnsharedCharge } from '#money/rules/cost.ts'

/** A charge of 100.00 of November 2026 for the employee `a`, but for what is given. */
export function chargeOf({
  person,
  ...given
}: Partial<Omit<UnsharedCharge, 'person'>> & { readonly person?: Partial<ChargedPerson> | null } = {}): UnsharedCharge {
  return {
    contractId: 'contract',
    source: 'premium',
    period: '2026-11',
    amount: 10_000,
    before: 0,
    beforeShare: null,
    costCenter: person === null ? null : person?.costCenter === undefined ? '4100' : person.costCenter,
    employeeAmount: null,
    isUnmatched: false,
    person:
      person === null
        ? null
        : {
            benefitId: 'benefit',
            memberId: 'a',
            name: 'Ana Modelo',
            type: 'primary',
            employeeMemberId: 'a',
            employeeName: 'Ana Modelo',
            employeeId: '100',
            jobTitle: null,
            costCenter: '4100',
            productId: 'plan',
            productType: 'health-insurance',
            productName: 'Plano Modelo',
            ...person,
          },
    ...given,
  }
}
