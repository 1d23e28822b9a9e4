/** Whether this is `npm run test:long`: more rounds, more rows, and the service as two `api` and two `worker` processes. */
export const isLong = process.env['VIGENCIA_TEST_LONG'] === '1'

/** A number of rounds, rows or runs: of the everyday run, and of the long one. */
export function scaled(everyday: number, long: number): number {
  return isLong ? long : everyday
}
