/** Only these are inherited: CI, NO_COLOR or a setting of the service would change what a started program prints. */
const inherited = /^(PATH|HOME|USER|LANG|LC_.*|TZ|TMPDIR|MALLOC_.*|NODE_COMPILE_CACHE)$/

/** The environment of a program that a test starts. It speaks English whatever the locale of the machine. */
export function inheritedEnvironment(): Record<string, string> {
  const entries = Object.entries(process.env)
  const some = entries.filter((entry): entry is [string, string] => inherited.test(entry[0]))
  return { ...Object.fromEntries(some), LC_ALL: 'C.UTF-8' }
}
