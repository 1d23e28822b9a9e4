import type { BuiltInLayout } from '../../domain/layout.ts'
import type { LayoutInput } from '../layout.ts'
import { bradescoRoster } from './bradesco-roster.ts'
import { generic } from './generic.ts'
import { mecsas } from './mecsas.ts'
import { payroll } from './payroll.ts'
import { universalWorkbook } from './universal-workbook.ts'

const layouts: Readonly<Record<BuiltInLayout, LayoutInput>> = {
  ...generic,
  ...mecsas,
  ...universalWorkbook,
  ...bradescoRoster,
  ...payroll,
}

/** The layouts that every installation has, by id. They are copied, not changed. */
export const BUILT_IN: ReadonlyMap<string, LayoutInput> = new Map(Object.entries(layouts))
