/* Regular expressions of PostgreSQL that find a person in texts: pure. */

/** What a text has of a person. The names and addresses as `fold` makes them. */
export interface Named {
  readonly taxId: string
  readonly names: readonly string[]
  readonly emails: readonly string[]
}

const escaped = (text: string) => text.replaceAll(/[^\p{L}\p{N} ]/gu, String.raw`\$&`)

/** A regular expression of PostgreSQL: the CPF, also formatted or without its first zeros, and the e-mail addresses. */
export function identifierPattern({ taxId, emails }: Omit<Named, 'names'>): string {
  const [a, b, c, d] = [taxId.slice(0, 3), taxId.slice(3, 6), taxId.slice(6, 9), taxId.slice(9)]
  const short = taxId.replace(/^0{1,3}/, '')
  return [`(?<![0-9])(${a}\\.?${b}\\.?${c}-?${d}|${short})(?![0-9])`, ...emails.map(escaped)].join('|')
}

/** The same, and the names: for texts as `fold` makes them. */
export function anyPattern(named: Named): string {
  return [identifierPattern(named), ...named.names.filter((name) => name.length > 0).map(escaped)].join('|')
}
