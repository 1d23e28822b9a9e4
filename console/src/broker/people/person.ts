import type { Item } from '@vigencia/client'

export type Person = Item<'listPeople'>
export type PersonRole = Person['role']

export const operatorRoles = ['analyst', 'finance', 'auditor', 'admin'] as const satisfies readonly PersonRole[]
export const personRoles = [...operatorRoles, 'company-hr'] as const satisfies readonly PersonRole[]
