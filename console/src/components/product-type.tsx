import { useTranslation } from 'react-i18next'
import { PRODUCT_TYPES } from '../../../src/kernel/enums.ts'
import { Value } from './value.tsx'

/** Those that have a text; a company may have others. */
export function isProductType(type: string): type is (typeof PRODUCT_TYPES)[number] {
  return (PRODUCT_TYPES as readonly string[]).includes(type)
}

/** The type of a product in words. */
export function ProductTypeText({ value }: { readonly value: string }) {
  const { t } = useTranslation('terms')
  return isProductType(value) ? t(`productType.${value}`) : <Value>{value}</Value>
}
