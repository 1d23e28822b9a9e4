import { useQueries } from '@tanstack/react-query'
import type { Company, MemberDetail, RequestOptions } from '@vigencia/client'
import { useMovementClient } from './client.ts'

type Benefit = MemberDetail['benefits'][number]

/** A person who is covered through the person, and leaves with it. */
export interface Leaving {
  readonly id: string
  readonly taxId: string
  readonly name: string
  readonly relation: NonNullable<Benefit['dependent-type']>
}

/** The dependents whose cover ends with these benefits of the person. */
export function useLeavingWith(member: MemberDetail, company: Company, benefits: readonly Benefit[]): Leaving[] {
  const dependents = member.family.filter(
    ({ type, status, 'company-tax-id': taxId }) =>
      type === 'dependent' && status === 'active' && taxId === company['tax-id'],
  )
  const ids = [...new Set(dependents.map((relative) => relative['member-id']))]
  const products = benefits.filter(({ type }) => type === 'primary').map((benefit) => benefit['product-id'])
  const { readMember } = useMovementClient()
  const details = useQueries({
    queries: ids.map((id) => ({
      queryKey: ['relative', id],
      queryFn: ({ signal }: RequestOptions) => readMember(id, { signal }),
    })),
  })
  return details.flatMap(({ data }) => {
    if (data === undefined) return []
    const { id, profile, benefits: own } = data
    const covered = own.find(
      (benefit) =>
        benefit.status === 'active' &&
        benefit['company-tax-id'] === company['tax-id'] &&
        benefit['primary-member-tax-id'] === member.profile['tax-id'] &&
        products.includes(benefit['product-id']),
    )
    return covered === undefined
      ? []
      : [{ id, taxId: profile['tax-id'], name: profile.name, relation: covered['dependent-type'] ?? 'other' }]
  })
}
