/** Exit codes of the command, for scripts; docs/command-line.md is made from this table. */
export const exitCodes = {
  ok: { code: 0, meaning: 'Done.' },
  refused: {
    code: 1,
    meaning:
      'Refused, and nothing was done: the service said no, a batch has offenses, a check failed, or a start cannot go on. The message says why.',
  },
  usage: { code: 2, meaning: 'The command was typed wrongly, or its file cannot be read or understood.' },
  unreachable: {
    code: 3,
    meaning:
      'The service or the database did not answer, or broke off. Repeat the command: it does not double what was done.',
  },
  credentials: {
    code: 4,
    meaning: 'No credentials are stored for this, or the service refuses them: `vigencia login`.',
  },
  inPart: {
    code: 5,
    meaning: 'Done in part: the service took some members, lines or movements and not others. The output says which.',
  },
  unexpected: { code: 70, meaning: 'A fault of the program itself.' },
  interrupted: { code: 130, meaning: 'Interrupted with Ctrl-C or SIGTERM.' },
} as const

export type Ending = keyof typeof exitCodes

/** The end of a command that did not do what was asked. Its message is a sentence; `next` says what to do about it. */
export class CommandError extends Error {
  readonly ending: Ending
  readonly next: string | null
  /** What `--json` prints: the service's own answer where there is one. */
  readonly body: unknown

  constructor(ending: Ending, message: string, more: { next?: string | null; body?: unknown; cause?: unknown } = {}) {
    super(message, { cause: more.cause })
    this.ending = ending
    this.next = more.next ?? null
    this.body = more.body ?? { error: message }
  }
}

/** An answer of the service that is not 2xx. */
export class RefusedError extends CommandError {
  readonly status: number

  constructor(status: number, ending: Ending, message: string, next: string | null, body: unknown) {
    super(ending, message, { next, body })
    this.status = status
  }
}
