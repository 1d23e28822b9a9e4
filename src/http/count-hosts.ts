/** Node keeps the first of several `Host` headers; a proxy in front may have gone by another (RFC 9112, section 3.2). */
export function countHosts(rawHeaders: readonly string[]): number {
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() === 'host') count += 1
  }
  return count
}
