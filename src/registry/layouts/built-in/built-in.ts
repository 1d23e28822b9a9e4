import type { BuiltInLayout } from '../../rules/layout.ts'
import type { LayoutInput } from '../layout.ts'
import { bradescoInvoice } from './bradesco-invoice.ts'
import { bradescoRoster } from './bradesco-roster.ts'
import { coparticipation } from './coparticipation.ts'
import { genericFiles } from './generic-files.ts'
import { generic } from './generic.ts'
import { hapvida } from './hapvida.ts'
import { mecsas } from './mecsas.ts'
import { payroll } from './payroll.ts'
import { unimedInvoice } from './unimed.ts'
import { universalWorkbook } from './universal-workbook.ts'

const layouts: Readonly<Record<BuiltInLayout, LayoutInput>> = {
  ...generic,
  ...mecsas,
  ...universalWorkbook,
  ...bradescoRoster,
  ...payroll,
  ...bradescoInvoice,
  ...hapvida,
  ...unimedInvoice,
  ...coparticipation,
  ...genericFiles,
}

/** The layouts that every installation has, by id. They are copied, not changed. */
export const BUILT_IN: ReadonlyMap<string, LayoutInput> = new Map(Object.entries(layouts))
