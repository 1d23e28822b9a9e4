import type { LayoutInput } from '../layout.ts'
import { bradescoRoster } from './bradesco-roster.ts'
import { generic } from './generic.ts'
import { mecsas } from './mecsas.ts'
import { universalWorkbook } from './universal-workbook.ts'

/** The layouts that every installation has, by id. They are copied, not changed. */
export const BUILT_IN: ReadonlyMap<string, LayoutInput> = new Map(
  Object.entries({ ...generic, ...mecsas, ...universalWorkbook, ...bradescoRoster }),
)
