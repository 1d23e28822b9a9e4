import type { TFunction } from 'i18next'
import type { PriceCategory } from '../../../../src/money/rules/price-table.ts'

/** A band or a role as people read it: `0 a 18 anos`, `59 anos ou mais`, `titular`. */
export function categoryName(t: TFunction<['prices', 'charges']>, category: PriceCategory): string {
  if (category === 'person' || category === 'primary' || category === 'dependent') {
    return t(`charges:category.${category}`)
  }
  const [from = '', until] = category.split(/[-+]/)
  return until === '' || until === undefined ? t('prices:bandAbove', { from }) : t('prices:band', { from, until })
}
