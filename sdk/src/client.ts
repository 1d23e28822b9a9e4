import { Operations } from './operations.ts'
import { Transport, type OperationTable } from './transport.ts'
import type { ClientOptions } from './types.ts'

type Groups = Readonly<Record<string, new (transport: Transport) => object>>

type Client<Given extends Groups> = { readonly [Noun in keyof Given]: InstanceType<Given[Noun]> } & {
  readonly operations: Operations
}

/** The class of a client: with a property for each of the groups. */
export function clientOf<Given extends Groups>(
  table: OperationTable,
  groups: Given,
): new (options: ClientOptions) => Client<Given> {
  class WithGroups {
    readonly operations: Operations

    /** @throws TypeError for a URL that is none. */
    constructor(options: ClientOptions) {
      const transport = new Transport(options, table)
      const opened = Object.entries(groups).map(([noun, Group]) => [noun, new Group(transport)])
      Object.assign(this, Object.fromEntries(opened))
      this.operations = new Operations(transport)
    }
  }
  return WithGroups as unknown as new (options: ClientOptions) => Client<Given>
}
