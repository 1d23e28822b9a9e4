import type { Caller, Origin } from '../http/caller.ts'

/** The parameters of an import. */
export interface ImportOrder {
  readonly id: string
  readonly dryRun: boolean
  readonly caller: Caller
  readonly origin: Origin
}
