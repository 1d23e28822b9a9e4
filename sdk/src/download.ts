import { type Destination, Download, type Saved } from './files.ts'
import type { Transport } from './transport.ts'
import type { OperationId, RequestOptions } from './types.ts'

/** The file that an operation sends: written to `to`, or to be read. */
export function download(
  transport: Transport,
  id: OperationId,
  path: readonly string[],
  query: object,
  { to, ...options }: RequestOptions & { readonly to?: Destination | undefined },
  accept = '*/*',
): Promise<Download | Saved> {
  const call = { path, query, headers: { accept }, options, isStream: true }
  const file = transport.send<Download | Saved>(id, call, async (response) => {
    const opened = new Download(response)
    return typeof to === 'string' ? opened.save(to) : opened
  })
  // What was written to a stream cannot be taken back: not a part of the attempt.
  return typeof to === 'object' ? file.then((opened) => (opened as Download).save(to)) : file
}
