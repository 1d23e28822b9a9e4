/** How many rows one transaction of a larger work has: it stays short, and others are served in between. */
export const CHUNK_SIZE = 500

/** Divides families, in their order, into chunks of at most `CHUNK_SIZE` items. A family is never divided: a larger one is a chunk of its own. */
export function chunksOf<Item>(families: Iterable<readonly Item[]>): (readonly Item[])[][] {
  const chunks: (readonly Item[])[][] = []
  let size = CHUNK_SIZE
  for (const family of families) {
    if (size + family.length > CHUNK_SIZE) {
      chunks.push([])
      size = 0
    }
    chunks.at(-1)?.push(family)
    size += family.length
  }
  return chunks
}
