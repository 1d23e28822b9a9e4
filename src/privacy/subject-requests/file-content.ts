import { crc32 } from 'node:zlib'
import { required } from '#platform/core/log.ts'
import type { Sql } from '#platform/core/database.ts'
import type { Context } from '#platform/http/context.ts'
import { openFile } from '#platform/http/download.ts'
import { archiveNames, layOutZip } from '#money/invoices/zip.ts'
import { PORTUGUESE } from '#kernel/texts/texts.ts'
import { type Disclosure, listDisclosures, readSeenPerson } from './disclosures.ts'
import { inPortuguese, labelOf, type Section } from './in-portuguese.ts'
import {
  findPerson,
  type KnownPerson,
  type PersonalDocument,
  readEarlierRequests,
  readImportLines,
  readPersonalDocuments,
  readPersonalRows,
  type Row,
} from './person-data.ts'
import type { CopiedTable } from '../personal-tables.ts'

/* The copy of a person's data (LGPD art. 18 I, II and VII, art. 19 II) as a ZIP, whose texts are in Portuguese. */

interface OfCompany {
  readonly known: KnownPerson
  readonly rows: Record<CopiedTable, Row[]>
  readonly documents: readonly PersonalDocument[]
}

/** A file of the ZIP: its bytes, or the document to read. */
type Entry = { readonly name: string } & ({ readonly bytes: Buffer } | { readonly document: PersonalDocument })

const { copy } = PORTUGUESE['personal-data']
const sections: Readonly<Record<Section, string>> = PORTUGUESE['personal-data'].sections
const disclosures: Readonly<Record<Disclosure, string>> = PORTUGUESE['personal-data'].disclosures

/** The files of the copy of a person's data. */
export async function readCopy(sql: Sql, taxId: string, madeAt: Date): Promise<readonly Entry[]> {
  const companies: OfCompany[] = []
  for (const known of await findPerson(sql, taxId)) {
    const rows = await readPersonalRows(sql, known, taxId)
    const ids = rows.enrollment.map(({ id }) => String(id))
    companies.push({ known, rows, documents: await readPersonalDocuments(sql, known.companyId, ids) })
  }
  const person = await readSeenPerson(
    sql,
    companies.map(({ known }) => known),
    taxId,
  )
  const all = { from: null, until: null }
  const seen = await listDisclosures(sql, person, all, { limit: null, offset: 0 })
  const documents = companies.flatMap((company) => company.documents)
  const names = archiveNames(documents.map(({ name }) => name)).map((name) => `${copy.documents}/${name}`)
  const named = new Map(documents.map(({ id }, index) => [id, required(names[index], 'name')]))
  const head = { [copy.made]: madeAt.toISOString(), [labelOf('tax-id') ?? '']: taxId }
  const data = {
    ...head,
    [copy.companies]: companies.map(dataOf),
    [sections.member_import_error]: (await readImportLines(sql, taxId)).map((row) =>
      inPortuguese('member_import_error', row),
    ),
    [sections.subject_request]: (await readEarlierRequests(sql, taxId)).map((row) =>
      inPortuguese('subject_request', row),
    ),
  }
  return [
    { name: 'LEIA-ME.txt', bytes: Buffer.from(`${copy.readme.join('\r\n')}\r\n`) },
    jsonEntry('dados.json', data),
    jsonEntry('movimentacoes.json', {
      ...head,
      [copy.companies]: companies.map((company) => movementsOf(company, named)),
    }),
    jsonEntry('compartilhamentos.json', {
      ...head,
      [copy.companies]: companies.map(({ known, rows }) => section(known, { shipment_item: rows.shipment_item })),
    }),
    jsonEntry('acessos.json', { ...head, [copy.accesses]: accessesOf(seen.items) }),
    ...documents.map((document) => ({ name: required(named.get(document.id), 'name'), document })),
  ]
}

const jsonEntry = (name: string, value: object): Entry => ({
  name,
  bytes: Buffer.from(`${JSON.stringify(value, null, 2)}\n`),
})

/** What a company has of the person in some tables, by the names of the tables in Portuguese. */
function section({ companyName, companyTaxId }: KnownPerson, rows: Partial<Record<CopiedTable, Row[]>>) {
  const tables = (Object.entries(rows) as [CopiedTable, Row[]][]).map(([table, found]) => [
    sections[table],
    found.map((row) => inPortuguese(table, row)),
  ])
  return {
    [labelOf('company-name') ?? '']: companyName,
    [labelOf('company-tax-id') ?? '']: companyTaxId,
    ...(Object.fromEntries(tables) as Record<string, unknown>),
  }
}

const movementTables: ReadonlySet<string> = new Set([
  'request',
  'enrollment',
  'enrollment_history',
  'enrollment_note',
  'deadline_event',
])

function dataOf({ known, rows }: OfCompany) {
  const others = Object.entries(rows).filter(([table]) => !movementTables.has(table) && table !== 'shipment_item')
  return { ...section(known, Object.fromEntries(others)), [copy.coparticipation]: coparticipationOf(rows.carrier_line) }
}

/** What was charged for use, in cents, by month. */
function coparticipationOf(lines: readonly Row[]): Record<string, number> {
  const charged = lines.filter((line) => line['carrier-file-kind'] === 'coparticipation')
  const byMonth = Map.groupBy(charged, (line) => String(line['reference-month']))
  const totals = [...byMonth].map(([month, ofMonth]) => {
    const total = ofMonth.reduce((sum, line) => sum + Number(line['amount'] ?? 0), 0)
    return [month, total] as const
  })
  return Object.fromEntries(totals)
}

function movementsOf({ known, rows, documents }: OfCompany, names: ReadonlyMap<string, string>) {
  const { request, enrollment, enrollment_history, enrollment_note, deadline_event } = rows
  const sent = documents.map((document) => ({
    ...inPortuguese('document', {
      'enrollment-id': document.enrollmentId,
      'document-type': document.documentType,
      name: document.name,
      'content-type': document.contentType,
      size: document.size,
      'uploaded-at': document.uploadedAt,
    }),
    [copy.file]: names.get(document.id),
  }))
  return {
    ...section(known, { request, enrollment, enrollment_history, enrollment_note, deadline_event }),
    [sections.document]: sent,
  }
}

/** The accesses, with only the role of the people who saw the data: their names are theirs. */
function accessesOf(items: string): object[] {
  const rows = JSON.parse(items) as {
    at: string
    action: Disclosure
    role: string
    certainty: string
    'company-name': string | null
  }[]
  return rows.map(({ at, action, role, certainty, 'company-name': company }) => ({
    [copy.at]: at,
    [copy.what]: disclosures[action],
    [copy.by]:
      role === 'client'
        ? copy.client
        : ((PORTUGUESE.terms.role as Readonly<Record<string, string>>)[role] ?? copy.service),
    [copy.certainty]: certainty === 'certain' ? copy.certain : copy.possible,
    ...(company === null ? {} : { [labelOf('company-name') ?? '']: company }),
  }))
}

/** The bytes of the ZIP. A document is read twice: a ZIP has the checksum before the bytes. */
export async function* zipCopy(context: Context, entries: readonly Entry[], at: Date): AsyncGenerator<Buffer> {
  const listed = []
  for (const entry of entries) {
    let checksum = 0
    for await (const chunk of chunksOf(context, entry)) checksum = crc32(chunk, checksum)
    const size = 'bytes' in entry ? entry.bytes.length : entry.document.size
    listed.push({ name: entry.name, size, crc32: checksum, at: at.toISOString() })
  }
  const { headers, directory } = layOutZip(listed)
  for (const [index, entry] of entries.entries()) {
    yield required(headers[index], 'header')
    yield* chunksOf(context, entry)
  }
  yield directory
}

async function* chunksOf(context: Context, entry: Entry): AsyncGenerator<Buffer> {
  if ('bytes' in entry) yield entry.bytes
  else yield* (await openFile(context, 'document', entry.document)) as AsyncIterable<Buffer>
}
