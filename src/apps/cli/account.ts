import { productNameKey } from '#kernel/product-name.ts'
import type { ApiClient } from './api-client.ts'
import { say } from './language.ts'
import { oneLine, printMessage } from './terminal.ts'

/** Says on standard error that another account has this name. */
export async function warnOfSameName(client: ApiClient, noun: 'client' | 'operator', name: string): Promise<void> {
  const key = productNameKey(name)
  for await (const other of client.sdk.operations.list(noun === 'client' ? 'listClients' : 'listOperators')) {
    if (productNameKey(other.name) !== key) continue
    printMessage(
      say`warning: ${noun} ${other['client-id']} has the name ${oneLine(other.name)} too; this is another one.`,
    )
  }
}
