import type { UseFormReturnType } from '@mantine/form'
import type { ContractValues } from './contract-values.ts'

/** The form of a contract, which its parts share. */
export type ContractFields = UseFormReturnType<ContractValues>
