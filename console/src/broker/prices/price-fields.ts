import type { UseFormReturnType } from '@mantine/form'
import type { PriceValues } from './price-values.ts'

/** The form of a price table, which its parts share. */
export type PriceFields = UseFormReturnType<PriceValues>
