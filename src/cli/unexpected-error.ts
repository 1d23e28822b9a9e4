import { StartError } from '../platform/errors.ts'
import { describeError } from '../platform/log.ts'
import type { Ending } from './errors.ts'
import { printJson, tell } from './terminal.ts'
import type { CommandContext } from './context.ts'

/** Errors that are none of the command line's own: a start that cannot go on, a fault of the program. */
export function printUnexpectedError(context: CommandContext, error: unknown, wantsJson: boolean): Ending {
  if (error instanceof StartError) {
    if (wantsJson) printJson(context, { error: error.message })
    tell(context, error.message)
    return 'refused'
  }
  if (wantsJson) printJson(context, { error: 'Unexpected error' })
  // What an error quotes may be a person's data: only what may be logged is shown.
  tell(context, `Unexpected error: ${JSON.stringify(describeError(error))}`)
  return 'unexpected'
}
