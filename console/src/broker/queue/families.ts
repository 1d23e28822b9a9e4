import type { Item } from '@vigencia/client'

/** What says who belongs to whom. */
export type FamilyItem = Pick<
  Item<'listEnrollmentQueue'>,
  'id' | 'company-tax-id' | 'member-type' | 'member-tax-id' | 'primary-member-tax-id'
>

/** The ids of the dependents whose primary stands above them. @param items rows of the list, in its order. */
export function belowPrimary(items: readonly FamilyItem[]): ReadonlySet<string> {
  const ids = new Set<string>()
  let family: string | null = null
  for (const item of items) {
    if (item['member-type'] === 'primary') family = familyOf(item, item['member-tax-id'])
    else if (family === familyOf(item, item['primary-member-tax-id'])) ids.add(item.id)
    else family = null
  }
  return ids
}

const familyOf = (item: FamilyItem, primaryTaxId: string | null) => `${item['company-tax-id']} ${primaryTaxId}`
