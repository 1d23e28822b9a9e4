import type { Caller, Origin } from '../http/caller.ts'

/** Who imports, under which id, and whether anything is saved. */
export interface ImportOrder {
  readonly id: string
  readonly dryRun: boolean
  readonly caller: Caller
  readonly origin: Origin
}
