/** The result of one check of `vigencia doctor`. `next` says what to do, unless the state is `ok`. */
export interface Finding {
  readonly check: string
  readonly state: 'ok' | 'warning' | 'failed'
  readonly message: string
  readonly next?: string
}
