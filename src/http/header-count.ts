import type { IncomingMessage } from 'node:http'

/** How many header fields a request has of one name. @param name in lower case. */
export function headerCount({ rawHeaders }: IncomingMessage, name: string): number {
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() === name) count += 1
  }
  return count
}
