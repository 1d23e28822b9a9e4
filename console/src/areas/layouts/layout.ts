import type { ResponseBody, Schemas } from '@vigencia/client'

export type Layout = ResponseBody<'readLayout'>['result']
export type Direction = Layout['direction']
export type LayoutColumn = Schemas['LayoutColumn']
export type LayoutRecord = Schemas['LayoutRecord']

export const directions = [
  'movement',
  'acknowledgement',
  'roster',
  'invoice',
  'coparticipation',
  'payroll',
] as const satisfies readonly Direction[]
