import type { Item } from '@vigencia/client'

export type Operator = Item<'listOperators'>
export type Role = Operator['role']

export const roles: readonly Role[] = ['analyst', 'finance', 'auditor', 'admin']
