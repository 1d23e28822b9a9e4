import { ALTERATION_FIELDS, type AlterationRequest, parseAlteration } from './alteration-data.ts'
import type { AlterationOffense } from '#kernel/alteration-offenses.ts'
import type { LocalDate } from '#kernel/calendar.ts'
import { asInSingleCall, type EntryOffenseDetail } from './entry-offenses.ts'
import { unknownFieldOfBody } from '#kernel/nearest.ts'
import { echoOf } from './exclusion-entries.ts'
import { cpf } from '#kernel/field-types.ts'
import { isAbsent } from '#kernel/fields.ts'
import { reference } from '#kernel/reference.ts'
import { sandbox } from '#kernel/sandbox.ts'

export type AlterationOffenseDetail = EntryOffenseDetail<AlterationOffense>

/** An entry of a batch in normal form, with the offenses that follow from the entry alone. */
export interface AlterationEntry {
  readonly index: number
  /** As sent, null when absent or long, to bound the memory of a batch. */
  readonly echo: unknown
  /** null: missing or invalid; likewise the next. */
  readonly taxId: string | null
  readonly request: AlterationRequest | null
  readonly offenses: readonly AlterationOffenseDetail[]
}

const KNOWN_FIELDS: ReadonlySet<string> = new Set(['tax-id', 'alteration-data', 'reference', 'sandbox'])
const unknownField = (key: string) =>
  asInSingleCall(unknownFieldOfBody(key, [...KNOWN_FIELDS], 'alteration-data', Object.keys(ALTERATION_FIELDS)))
/** Further unknown fields of an entry are not listed. */
const MAX_DETAILS = 20
/** The day is not known yet: `judgeAlterationBatch` compares the date of birth with it. */
const LAST_DAY: LocalDate = '9999-12-31'

/**
 * Normalizes an entry of a batch and judges it by itself.
 * @param sent an object parsed from JSON.
 */
export function parseAlterationEntry(sent: Readonly<Record<string, unknown>>, index: number): AlterationEntry {
  const offenses: AlterationOffenseDetail[] = []
  const taxId = cpf.parse(sent['tax-id']) ?? null
  if (taxId === null) offenses.push({ code: 'invalid-tax-id', field: 'tax-id' })
  for (const key in sent) {
    if (KNOWN_FIELDS.has(key)) continue
    offenses.push({ code: 'invalid-alteration-data', ...unknownField(key) })
    if (offenses.length >= MAX_DETAILS) break
  }
  const data = sent['alteration-data']
  const parsed = parseAlteration({ 'alteration-data': isAbsent(data) ? undefined : data }, LAST_DAY)
  if (!parsed.ok) {
    for (const error of parsed.details) offenses.push({ code: 'invalid-alteration-data', ...asInSingleCall(error) })
  }
  const ownReference = reference.parse(sent['reference'])
  if (ownReference === null) offenses.push({ code: 'invalid-reference', field: 'reference' })
  const ownSandbox = sandbox.parse(sent['sandbox'])
  if (ownSandbox === null) offenses.push({ code: 'invalid-sandbox', field: 'sandbox' })
  const own = { reference: ownReference ?? null, sandbox: ownSandbox ?? null }
  const request = parsed.ok ? { ...parsed.value, ...own } : null
  return { index, echo: echoOf(sent['tax-id']), taxId, request, offenses }
}
