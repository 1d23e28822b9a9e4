/* Layouts of carriers' files: closed sets. */

/** Files between a contract’s company and its carrier. `movement` is written by the service; the others are read. */
export const CARRIER_DIRECTIONS = ['movement', 'acknowledgement', 'roster', 'invoice', 'coparticipation'] as const
export type CarrierDirection = (typeof CARRIER_DIRECTIONS)[number]

/** `payroll`: written by the service, for the payroll of a company. */
export const LAYOUT_DIRECTIONS = [...CARRIER_DIRECTIONS, 'payroll'] as const
export type LayoutDirection = (typeof LAYOUT_DIRECTIONS)[number]

/** Whether the service writes the files of a direction. */
export const isWritten = (direction: LayoutDirection): boolean => direction === 'movement' || direction === 'payroll'

export const LAYOUT_FORMATS = ['csv', 'fixed-width', 'xlsx', 'ndjson'] as const
export type LayoutFormat = (typeof LAYOUT_FORMATS)[number]

/** How a column writes a day or a month. */
const DATE_PATTERNS = [
  'ddMMyyyy',
  'yyyyMMdd',
  'dd/MM/yyyy',
  'yyMMdd',
  'MMyyyy',
  'MM/yyyy',
  'yyyyMM',
  'yyyy-MM',
  'yyyy-MM-dd',
] as const
export type DatePattern = (typeof DATE_PATTERNS)[number]

/** How a column writes its value. */
export const COLUMN_FORMATS = [
  ...DATE_PATTERNS.map((pattern) => `date:${pattern}` as const),
  'money:cents',
  'money:comma',
  'money:point',
  'digits',
  'upper-ascii',
  'upper',
  'text',
] as const
export type ColumnFormat = (typeof COLUMN_FORMATS)[number]

/** The layouts that every installation has, with their directions (src/registry/layouts/built-in). */
export const BUILT_IN_LAYOUTS = {
  'generic-csv': 'movement',
  'generic-csv-acknowledgement': 'acknowledgement',
  'generic-xlsx': 'movement',
  'generic-xlsx-acknowledgement': 'acknowledgement',
  'generic-ndjson': 'movement',
  'generic-ndjson-acknowledgement': 'acknowledgement',
  mecsas: 'movement',
  'mecsas-acknowledgement': 'acknowledgement',
  'universal-workbook': 'movement',
  'mecsas-roster': 'roster',
  'bradesco-roster': 'roster',
  'payroll-csv': 'payroll',
  'payroll-bill-csv': 'payroll',
  'payroll-bill-xlsx': 'payroll',
  'bradesco-invoice': 'invoice',
  'bradesco-coparticipation': 'coparticipation',
  'hapvida-roster': 'roster',
  'hapvida-invoice': 'invoice',
  'unimed-invoice': 'invoice',
  fatucopa: 'coparticipation',
  'generic-csv-roster': 'roster',
  'generic-csv-invoice': 'invoice',
  'generic-csv-coparticipation': 'coparticipation',
  'generic-xlsx-roster': 'roster',
  'generic-xlsx-invoice': 'invoice',
  'generic-xlsx-coparticipation': 'coparticipation',
} as const satisfies Readonly<Record<string, LayoutDirection>>
export type BuiltInLayout = keyof typeof BUILT_IN_LAYOUTS
