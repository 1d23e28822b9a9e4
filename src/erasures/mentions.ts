/* Where free text of others names a person, and how it reads without: pure. */
import { foldText } from '../domain/name.ts'

/** What a text may have of a person. */
export interface Named {
  readonly taxId: string
  readonly names: readonly string[]
  readonly emails: readonly string[]
}

/** A text that names the person, without: `surroundings` as a plan shows them. */
interface ChangedText {
  readonly text: string
  readonly surroundings: string
}

/** A place in a JSON value, such as `[0].reason`. */
interface ChangedPlace {
  readonly path: string
  readonly surroundings: string
}

/** Stands where there was something of an erased person. */
export const erased = 'erased'

/** Never longer than what it replaces: columns have limits. */
const replacementOf = (found: string) => (found.length >= erased.length ? erased : '*'.repeat(found.length))

/** For a regular expression with the flag u, which takes no other escapes. */
const escaped = (text: string) => text.replaceAll(/[$()*+./?[\\\]^{|}]/g, String.raw`\$&`)
/** For a regular expression of PostgreSQL. */
const escapedForSql = (text: string) => text.replaceAll(/[^\p{L}\p{N}]/gu, String.raw`\$&`)
const [before, after] = [String.raw`(?<![\p{L}\p{N}])`, String.raw`(?![\p{L}\p{N}])`]
// A full stop after an address ends the sentence, unless the domain goes on.
const [beforeEmail, afterEmail] = [
  String.raw`(?<![\p{L}\p{N}._\-+@])`,
  String.raw`(?![\p{L}\p{N}_\-+@]|\.[\p{L}\p{N}_\-+@])`,
]

/** An address that is not the person's may have a name. */
const address = /[^\s<>()[\]"',;:]+@[^\s<>()[\]"',;:]+/g

function cpfPattern(taxId: string): string {
  return [taxId.slice(0, 3), taxId.slice(3, 6), taxId.slice(6, 9)].join(String.raw`\.?`) + `-?${taxId.slice(9)}`
}

/** A folded name as a pattern: blanks may be several, apostrophes and hyphens may be missing. */
function namePattern(name: string): string {
  const parts = name.split(/([ .,'-]+)/)
  return parts
    .map((part, index) => {
      if (index % 2 === 0) return escaped(part)
      return part.includes(' ') ? String.raw`[\s.,'-]{1,3}` : String.raw`[\s.,'-]{0,2}`
    })
    .join('')
}

const known = (texts: readonly string[]) => [...new Set(texts.map((text) => foldText(text).trim()))].filter(Boolean)

/** Finds a person in texts: the whole CPF, an e-mail address or the full name, between the borders of words. */
export class Mentions {
  readonly #all: RegExp
  readonly #cpf: RegExp
  readonly #taxId: string
  /** A regular expression of PostgreSQL that each text has, as `fold` makes it, which names the person; others may have it. */
  readonly prefilter: string

  constructor({ taxId, names, emails }: Named) {
    this.#taxId = taxId
    const cpf = `${before}${cpfPattern(taxId)}${after}`
    const addresses = known(emails)
    const fullNames = known(names)
    this.#cpf = new RegExp(cpf, 'gu')
    this.#all = new RegExp(
      [
        cpf,
        ...addresses.map((email) => `${beforeEmail}${escaped(email)}${afterEmail}`),
        // The longest first: one may begin with another.
        ...fullNames.toSorted((a, b) => b.length - a.length).map((name) => `${before}${namePattern(name)}${after}`),
      ].join('|'),
      'gu',
    )
    const longest = (name: string) => name.split(/[^\p{L}\p{N}]+/u).reduce((a, b) => (b.length > a.length ? b : a), '')
    this.prefilter = [
      cpfPattern(taxId),
      ...addresses.map((email) => escapedForSql(email)),
      ...fullNames.map(longest).filter(Boolean).map(escapedForSql),
    ].join('|')
  }

  /** Whether a text has the CPF. */
  hasCpf(text: string): boolean {
    return this.#found(text, this.#cpf).length > 0
  }

  /** Whether a text is the full name, and nothing else. */
  isName(text: string): boolean {
    const [found] = this.#found(text.trim(), this.#all)
    return found !== undefined && found.start === 0 && found.end === text.trim().length
  }

  /** @param isOnlyCpf names and addresses stay. @returns null where the person is not named. */
  changeText(text: string, isOnlyCpf = false): ChangedText | null {
    const found = this.#found(text, isOnlyCpf ? this.#cpf : this.#all)
    if (found.length === 0) return null
    let changed = ''
    let from = 0
    const places: [number, number][] = []
    for (const { start, end } of found) {
      changed += text.slice(from, start)
      const at = changed.length
      changed += replacementOf(text.slice(start, end))
      places.push([at, changed.length])
      from = end
    }
    changed += text.slice(from)
    return { text: changed, surroundings: surroundingsOf(changed, places) }
  }

  /**
   * Changes a JSON value by value: its numbers and keys stay, and where it is of other people their identity too. What has the person's CPF as that
   * of the primary or of an account's owner is of the person.
   * @returns null where the person is not named.
   */
  changeJson(value: unknown, isOfPeople: boolean): { readonly value: unknown; readonly places: ChangedPlace[] } | null {
    const places: ChangedPlace[] = []
    const replace = (path: string) => {
      places.push({ path, surroundings: erased })
      return erased
    }
    const walk = (one: unknown, path: string): unknown => {
      if (typeof one === 'string') {
        const changed = this.changeText(one)
        if (changed === null) return one
        places.push({ path, surroundings: changed.surroundings })
        return changed.text
      }
      if (Array.isArray(one)) return one.map((item, index) => walk(item, `${path}[${index}]`))
      if (typeof one !== 'object' || one === null) return one
      const owner = (one as Record<string, unknown>)[ownersTaxId]
      return Object.fromEntries(
        Object.entries(one).map(([key, inner]) => {
          const at = path === '' ? key : `${path}.${key}`
          if (typeof inner === 'string') {
            if (ofRelative.has(key) && inner === this.#taxId) return [key, replace(at)]
            if (key === ownersName && owner === this.#taxId) return [key, replace(at)]
            if (key === ownersName && owner === undefined) return [key, walk(inner, at)]
            if (isOfPeople && isIdentity.test(key)) return [key, inner]
          }
          return [key, walk(inner, at)]
        }),
      )
    }
    const changed = walk(value, '')
    return places.length === 0 ? null : { value: changed, places }
  }

  #found(text: string, pattern: RegExp): { readonly start: number; readonly end: number }[] {
    const { folded, offsets } = foldWithOffsets(text)
    const addresses = [...folded.matchAll(address)].map(({ index, 0: { length } }) => [index, index + length] as const)
    const matches = [...folded.matchAll(pattern)].filter(
      ({ index, 0: match }) =>
        !/^\p{L}[^@]*$/u.test(match) || addresses.every(([from, to]) => index < from || index >= to),
    )
    return matches.map(({ index, 0: match }) => ({
      start: offsets[index] ?? 0,
      end: offsets[index + match.length] ?? text.length,
    }))
  }
}

const [ownersTaxId, ownersName] = ['bank-account-owners-tax-id', 'bank-account-owners-name']
/** Keys whose CPF says to whom somebody else belongs. */
const ofRelative = new Set(['primary-tax-id', 'primary-member-tax-id', ownersTaxId])

/** Keys of what other people are known by. */
const isIdentity =
  /(^|-)(id|ids|name|tax-id|number|code|certificate|status|type|date|month|phone|cns|pis)$|^(e-?mail|phone|matricula)\b/

/** The form in which texts are compared, and where each of its characters begins in the text. */
function foldWithOffsets(text: string): { readonly folded: string; readonly offsets: readonly number[] } {
  let folded = ''
  const offsets: number[] = []
  let at = 0
  for (const character of text) {
    const one = foldText(character)
    for (let index = 0; index < one.length; index += 1) offsets.push(at)
    folded += one
    at += character.length
  }
  return { folded, offsets }
}

const [wholeUpTo, charactersAround] = [240, 80]

/** A short text whole, of a longer one what stands around the places. */
function surroundingsOf(text: string, places: readonly (readonly [number, number])[]): string {
  if (text.length <= wholeUpTo) return text
  const parts: [number, number][] = []
  for (const [start, end] of places) {
    const last = parts.at(-1)
    const from = Math.max(0, start - charactersAround)
    const until = Math.min(text.length, end + charactersAround)
    if (last !== undefined && from <= last[1]) last[1] = until
    else parts.push([from, until])
  }
  return parts
    .map(([from, until]) => `${from > 0 ? '…' : ''}${text.slice(from, until)}${until < text.length ? '…' : ''}`)
    .join(' ')
}
