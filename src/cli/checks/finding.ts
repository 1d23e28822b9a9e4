/** The result of one check of `vigencia doctor`. `next` says what to do, except for `ok`. */
export interface Finding {
  readonly check: string
  readonly state: 'ok' | 'warning' | 'failed'
  readonly message: string
  readonly next?: string
}
