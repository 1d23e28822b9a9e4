import { Roster as Methods } from '../generated/operator.ts'
import { type RosterComparison, type OperatorRosterOptions, type RosterSource, syncRoster } from '../roster.ts'
import type { Transport } from '../transport.ts'

/** Lists of who should be covered, compared with who is. */
export class Roster extends Methods {
  readonly #transport: Transport

  constructor(transport: Transport) {
    super(transport)
    this.#transport = transport
  }

  /**
   * Sends a list, and waits until it is compared. A list from a file or an array is sent again when the connection breaks; one from a stream or
   * another iterable is sent once. Nothing is done until somebody confirms it: `confirm`, `discard`.
   *
   *   const comparison = await operator.roster.sync('december.csv', { companyTaxId, states: ['people', 'products'] })
   *   console.log(String(comparison))
   *
   * @throws RosterSyncError for a list that cannot be compared.
   */
  sync(source: RosterSource, options: OperatorRosterOptions): Promise<RosterComparison> {
    return syncRoster(this.#transport, 'operator', source, options)
  }
}
