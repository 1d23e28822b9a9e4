import type { Charge, ChargedPerson } from '#money/rules/cost.ts'

/** A charge of 100.00 for the employee `a`, but for what is given. */
export function chargeOf({
  person,
  ...given
}: Partial<Omit<Charge, 'person'>> & { readonly person?: Partial<ChargedPerson> | null } = {}): Charge {
  return {
    contractId: 'contract',
    source: 'premium',
    amount: 10_000,
    employeeAmount: null,
    isUnmatched: false,
    person:
      person === null
        ? null
        : {
            memberId: 'a',
            name: 'Ana Modelo',
            type: 'primary',
            employeeMemberId: 'a',
            employeeName: 'Ana Modelo',
            employeeId: '100',
            jobTitle: null,
            costCenter: '4100',
            productId: 'plan',
            productName: 'Plano Modelo',
            ...person,
          },
    ...given,
  }
}
