import type { UseFormReturnType } from '@mantine/form'
import type { RuleValues } from './rule-values.ts'

export type RuleFields = UseFormReturnType<RuleValues>
