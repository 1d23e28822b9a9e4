import type { ResponseBody, Schemas } from '@vigencia/client'

export type Layout = ResponseBody<'readLayout'>['result']
export type Direction = Layout['direction']
export type LayoutDefinition = Schemas['LayoutDefinition']
export type LayoutFormat = LayoutDefinition['format']
export type LayoutColumn = Schemas['LayoutColumn']
export type LayoutRecord = Schemas['LayoutRecord']

/** Those of the files between the company of a contract and its carrier. */
export const carrierDirections = [
  'movement',
  'acknowledgement',
  'roster',
  'invoice',
  'coparticipation',
] as const satisfies readonly Direction[]

export const directions = [...carrierDirections, 'payroll'] as const satisfies readonly Direction[]
