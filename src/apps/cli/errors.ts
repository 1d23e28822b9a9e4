import { say } from './language.ts'

/** Exit codes of the command, for scripts; docs/reference/cli/index.md is made from this table. */
export const exitCodes = {
  ok: { code: 0, meaning: 'Done.' },
  refused: {
    code: 1,
    meaning:
      'Refused, and nothing was done: the service returned an error, a batch has offenses, a check failed, a question was not confirmed, or the service cannot start. The message says why.',
  },
  usage: {
    code: 2,
    meaning:
      'The command was typed wrongly, its file cannot be read or understood, or only some of `VIGENCIA_URL`, `VIGENCIA_CLIENT_ID` and `VIGENCIA_CLIENT_SECRET` are set.',
  },
  unreachable: {
    code: 3,
    meaning:
      'The service or the database could not be reached, the connection broke, or the audit could not be checked. Repeat the command: it does nothing twice.',
  },
  left: { code: 1, meaning: '`roster sync`: what differs is proposed, and not confirmed.' },
  doubtful: {
    code: 3,
    meaning:
      '`roster sync`: the list is doubtful or cannot be compared, lines or movements are refused, or more people than usual would be excluded.',
  },
  credentials: {
    code: 4,
    meaning: 'No credentials are stored for this, or the service refuses them: `vigencia login`.',
  },
  inPart: {
    code: 5,
    meaning: 'Done in part: the service took some members, lines or movements and not others. The output says which.',
  },
  unexpected: { code: 70, meaning: 'An error of the program itself.' },
  interrupted: { code: 130, meaning: 'Interrupted with Ctrl-C or SIGTERM. `start` ends with 0 then.' },
} as const

export type ExitStatus = keyof typeof exitCodes

/** A command that failed. The message is a sentence; `next` says what to do. */
export class CommandError extends Error {
  readonly exitStatus: ExitStatus
  readonly next: string | null
  /** What `--json` prints: the body of the service's response, if there is one. */
  readonly body: unknown
  /** The status of a response that is not 2xx. */
  readonly httpStatus: number | null

  constructor(
    exitStatus: ExitStatus,
    message: string,
    next: string | null = null,
    more: { body?: unknown; httpStatus?: number; cause?: unknown } = {},
  ) {
    super(message, { cause: more.cause })
    this.exitStatus = exitStatus
    this.next = next
    this.body = more.body ?? { error: message }
    this.httpStatus = more.httpStatus ?? null
  }
}

/** The error for a file that the system refuses to read or to write. */
export function fileError(path: string, verb: 'read' | 'written', cause: unknown): CommandError {
  const { code = 'unknown' } = cause as NodeJS.ErrnoException
  const isAbsent = code === 'ENOENT' && verb === 'read'
  if (isAbsent) return new CommandError('usage', say`There is no file ${path}.`, null, { cause })
  const message = verb === 'read' ? say`${path} cannot be read (${code}).` : say`${path} cannot be written (${code}).`
  return new CommandError('usage', message, null, { cause })
}
