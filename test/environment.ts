/** Only these are inherited: CI, NO_COLOR or a setting of the service would change what a started program prints. */
const inherited = /^(PATH|HOME|USER|LANG|LC_.*|TZ|TMPDIR|MALLOC_.*|NODE_COMPILE_CACHE)$/

/** The environment of a program that a test starts. */
export function inheritedEnvironment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).filter((entry): entry is [string, string] => inherited.test(entry[0])),
  )
}
