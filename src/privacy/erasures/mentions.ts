/* Where free text of others names a person, and how it reads without: pure. */
import { foldText } from '#kernel/name.ts'

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

/** For a regular expression of PostgreSQL. */
const escapedForSql = (text: string) => text.replaceAll(/[^\p{L}\p{N}]/gu, String.raw`\$&`)

/** Every CPF of a text, also of those that overlap. */
const CPF = /(?<![\p{L}\p{N}])(?=(\d{3}\.?\d{3}\.?\d{3}-?\d{2})(?![\p{L}\p{N}]))/gu
const WORD = /^[\p{L}\p{N}]/u
/** What goes on with an address. */
const OF_ADDRESS = /^[\p{L}\p{N}_\-+@]/u
// A full stop after an address ends the sentence, unless the domain goes on.
const OF_DOMAIN = /^\.[\p{L}\p{N}_\-+@]/u
/** What may be an address: one that is not the person's may have a name. */
const TOKEN = /[^\s<>()[\]"',;:]+/g
const SEPARATOR = /^[\s.,'-]/

/** Where something of the person is in a folded text. */
interface Found {
  readonly start: number
  readonly end: number
}

/** The character before a place, whole. */
function characterBefore(text: string, at: number): string {
  const isPair = /^[\udc00-\udfff]/.test(text[at - 1] ?? '')
  return text.slice(at - (isPair ? 2 : 1), at)
}

/** Where a text begins in another. */
function* placesOf(text: string, part: string): Generator<number> {
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) yield at
}

function* cpfsIn(text: string, taxId: string): Generator<Found> {
  for (const { index, 1: cpf = '' } of text.matchAll(CPF)) {
    if (cpf.replaceAll(/[.-]/g, '') === taxId) yield { start: index, end: index + cpf.length }
  }
}

function* emailsIn(text: string, email: string): Generator<Found> {
  for (const start of placesOf(text, email)) {
    const end = start + email.length
    const before = start === 0 ? '' : characterBefore(text, start)
    const after = text.slice(end, end + 3)
    if (OF_ADDRESS.test(before) || before === '.' || OF_ADDRESS.test(after) || OF_DOMAIN.test(after)) continue
    yield { start, end }
  }
}

/** The words of a folded name, and between them the blanks and marks. */
function partsOf(name: string): readonly string[] {
  const parts = name.split(/([ .,'-]+)/)
  const from = parts[0] === '' ? 2 : 0
  return parts.slice(from, parts.at(-1) === '' ? -2 : undefined)
}

/** Where a name ends that begins at a place: blanks may be several, apostrophes and hyphens may be missing. null: another text. */
function endOfName(text: string, start: number, parts: readonly string[]): number | null {
  let at = start
  for (const [index, part] of parts.entries()) {
    if (index % 2 === 0) {
      if (!text.startsWith(part, at)) return null
      at += part.length
      continue
    }
    const hasBlank = part.includes(' ')
    const from = at
    while (at - from < (hasBlank ? 3 : 2) && SEPARATOR.test(text.slice(at, at + 1))) at += 1
    if (hasBlank && at === from) return null
  }
  return WORD.test(text.slice(at, at + 2)) ? null : at
}

function* namesIn(text: string, parts: readonly string[], isOfAddress: (at: number) => boolean): Generator<Found> {
  for (const start of placesOf(text, parts[0] ?? '')) {
    if (start > 0 && WORD.test(characterBefore(text, start))) continue
    const end = endOfName(text, start, parts)
    if (end !== null && !isOfAddress(start)) yield { start, end }
  }
}

/** Whether a place is in an address. */
function addressesOf(text: string): (at: number) => boolean {
  const found = Array.from(text.matchAll(TOKEN), ({ index, 0: token }) => ({ token, index }))
  const addresses = found.filter(({ token }) => token.slice(1, -1).includes('@'))
  return (at) => addresses.some(({ token, index }) => at >= index && at < index + token.length)
}

const known = (texts: readonly string[]) => [...new Set(texts.map((text) => foldText(text).trim()))].filter(Boolean)

/** What `fold` makes of a character beyond ASCII: a letter or two, an apostrophe, a hyphen or nothing. */
const beyondAscii = String.raw`[^\x01-\x7f]`

/** A pattern of PostgreSQL of what `fold` may have made this folded text of. */
function unfolded(text: string): string {
  return (text.match(/s{3,}|ss|ae|oe|th|./gsu) ?? [])
    .map((part) => {
      if (part.length > 2) return `(?:s|${beyondAscii})+`
      const characters = Array.from(
        part,
        (character) => `(?:${character === "'" ? "['`]" : escapedForSql(character)}|${beyondAscii})`,
      )
      return `(?:${characters.join(`${beyondAscii}*`)}|${beyondAscii})${beyondAscii}*`
    })
    .join('')
}

function unfoldedCpf(taxId: string): string {
  const digits = Array.from(taxId, (digit) => `${digit}${beyondAscii}*`)
  const [dot, hyphen] = [String.raw`\.?${beyondAscii}*`, `-?${beyondAscii}*`]
  return [
    digits.slice(0, 3).join(''),
    dot,
    digits.slice(3, 6).join(''),
    dot,
    digits.slice(6, 9).join(''),
    hyphen,
    digits.slice(9).join(''),
  ].join('')
}

/** Finds a person in texts: the whole CPF, an e-mail address or the full name, between the borders of words. */
export class Mentions {
  readonly #taxId: string
  readonly #emails: readonly string[]
  readonly #names: readonly (readonly string[])[]
  /** A regular expression of PostgreSQL that each text has, as `fold` makes it, which names the person; others may have it. */
  readonly prefilter: string
  /** The same of each text as it is, without regard to case: to fold one takes as long as to search twenty. */
  readonly unfoldedPrefilter: string

  constructor({ taxId, names, emails }: Named) {
    this.#taxId = taxId
    this.#emails = known(emails)
    this.#names = known(names)
      .map(partsOf)
      .filter((parts) => parts.length > 0)
    // The longest of the words: what stands between them may be another in a text.
    const longest = (parts: readonly string[]) =>
      parts.filter((_, index) => index % 2 === 0).reduce((a, b) => (b.length > a.length ? b : a), '')
    this.prefilter = [
      String.raw`${taxId.slice(0, 3)}\.?${taxId.slice(3, 6)}\.?${taxId.slice(6, 9)}-?${taxId.slice(9)}`,
      ...this.#emails.map((email) => escapedForSql(email)),
      ...this.#names.map(longest).map(escapedForSql),
    ].join('|')
    this.unfoldedPrefilter = [
      unfoldedCpf(taxId),
      ...this.#emails.map(unfolded),
      ...this.#names.map(longest).map(unfolded),
    ].join('|')
  }

  /** Whether a text has the CPF. */
  hasCpf(text: string): boolean {
    return this.#found(text, true).length > 0
  }

  /** Whether a text is the full name, and nothing else. */
  isName(text: string): boolean {
    const [found] = this.#found(text.trim(), false)
    return found !== undefined && found.start === 0 && found.end === text.trim().length
  }

  /** @param isOnlyCpf names and addresses stay. @returns null where the person is not named. */
  changeText(text: string, isOnlyCpf = false): ChangedText | null {
    const found = this.#found(text, isOnlyCpf)
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
    const walk = (value: unknown, path: string): unknown => {
      if (typeof value === 'string') {
        const changed = this.changeText(value)
        if (changed === null) return value
        places.push({ path, surroundings: changed.surroundings })
        return changed.text
      }
      if (Array.isArray(value)) return value.map((item, index) => walk(item, `${path}[${index}]`))
      if (typeof value !== 'object' || value === null) return value
      const owner = (value as Record<string, unknown>)[ownersTaxId]
      return Object.fromEntries(
        Object.entries(value).map(([key, inner]) => {
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

  /** What a text has of the person, in its order; of several at one place the longest. */
  #found(text: string, isOnlyCpf: boolean): Found[] {
    const { folded, offsets } = foldWithOffsets(text)
    const all = [...cpfsIn(folded, this.#taxId)]
    if (!isOnlyCpf) {
      const isOfAddress = addressesOf(folded)
      for (const email of this.#emails) all.push(...emailsIn(folded, email))
      for (const name of this.#names) all.push(...namesIn(folded, name, isOfAddress))
    }
    const found: Found[] = []
    for (const mention of all.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
      if (mention.start >= (found.at(-1)?.end ?? 0)) found.push(mention)
    }
    return found.map(({ start, end }) => ({ start: offsets[start] ?? 0, end: offsets[end] ?? text.length }))
  }
}

const [ownersTaxId, ownersName] = ['bank-account-owners-tax-id', 'bank-account-owners-name']
/** Keys whose CPF says to whom another person belongs. */
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
    const foldedCharacter = foldText(character)
    for (let index = 0; index < foldedCharacter.length; index += 1) offsets.push(at)
    folded += foldedCharacter
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
