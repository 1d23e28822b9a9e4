/* What the programs that are made from openapi.json know of an operation beyond its schemas: it stands beside them. */

import type { PersonRole } from '#kernel/enums.ts'

/** A method of the SDK. */
type SdkMethod = `${string}.${string}`

/**
 * A command of the command line. Its parameters are those of the operation and the properties of its body; of an operation of both APIs the
 * command is described once, with one of them, and has the name in both.
 */
export interface CliCommand {
  /** Its words, such as `company list`. */
  readonly command: string
  /** Command lines without `vigencia`, and what each does. Without them one is made. */
  readonly examples?: Readonly<Record<string, string>>
  /** Properties of the body that are arguments, after those of the path. */
  readonly arguments?: readonly string[]
  /** The body is a JSON file, an argument; what it lacks of the path is an option. */
  readonly file?: true
  /** The names of options that are not those of the parameters. */
  readonly options?: Readonly<Record<string, string>>
  /** What is sent in the body where nothing else is given. What is here is an option only where `options` names it. */
  readonly body?: object
  /**
   * The table that is printed: fields by their headings. `list[].field` is that of each element of a list; `text {field} | other` is the text where
   * the field is not null, else the other field. Without it the whole result is printed, unless there is a message.
   */
  readonly columns?: Readonly<Record<string, string>>
  /** Instead of a table: properties of the response, one a line. */
  readonly fields?: readonly string[]
  /** A list has the option `--ids`, which prints only this field. */
  readonly ids?: string
  /** Printed after the result, or instead of it unless `isShown`; `{name}` is the value of a parameter. */
  readonly message?: string
  readonly isShown?: true
  /** What `--json` prints for a response without a body; `{name}` is the value of a parameter. */
  readonly result?: Readonly<Record<string, string | true>>
  /** It asks before it does `sentence`; with `--dry-run` it shows the object, as the operation `look` of the operator API reads it. */
  readonly irreversible?: { readonly sentence: string; readonly look: string }
}

declare module 'fastify' {
  interface FastifySchema {
    /** Operator API: the operation of the partner API that it is for every company. */
    'x-twin'?: string
    /** The call may have no body; becomes `required` of the body. */
    'x-optional-body'?: boolean
    /** Without it the SDK has no method, or one that is written by hand. */
    'x-sdk'?: SdkMethod
    /** Operator API: the roles that may call it. Set from the configuration of the route. */
    'x-roles'?: readonly PersonRole[]
    /** Without it the command line has no command, or one that is written by hand. */
    'x-cli'?: CliCommand | readonly CliCommand[]
  }
}
