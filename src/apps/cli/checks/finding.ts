/** The result of one check of `vigencia doctor`. `next` says what to do, except for `ok`. */
export interface Finding {
  readonly check: string
  readonly state: 'ok' | 'warning' | 'failed'
  readonly message: string
  readonly next?: string
}

/** The findings of one check, by their state. */
export function findingsOf(check: string) {
  return {
    ok: (message: string): Finding => ({ check, state: 'ok', message }),
    warning: (message: string, next: string): Finding => ({ check, state: 'warning', message, next }),
    failed: (message: string, next?: string): Finding => ({
      check,
      state: 'failed',
      message,
      ...(next === undefined ? {} : { next }),
    }),
  }
}
