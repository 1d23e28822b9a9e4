import type { FieldError } from '#kernel/fields.ts'
import type { Message } from '#kernel/messages.ts'

/** A file that is refused as a whole: no row of it is used. */
export class TableError extends Error {
  override readonly name = 'TableError'
  readonly details: readonly FieldError[]
  /** 415: another kind of file than the media type says. */
  readonly isUnsupported: boolean

  constructor(details: readonly FieldError[], { isUnsupported = false } = {}) {
    super('the file cannot be used')
    this.details = details
    this.isUnsupported = isUnsupported
  }
}

/** A refused file with one detail, for the file itself. */
export function refusedFile(message: Message, options: { isUnsupported?: boolean } = {}): TableError {
  return new TableError([{ field: 'file', code: 'invalid', message }], options)
}
