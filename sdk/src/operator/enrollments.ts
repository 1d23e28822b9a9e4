import { download } from '../download.ts'
import { type Destination, type Download, type Saved, rawBody } from '../files.ts'
import { type List, listOf } from '../list.ts'
import { type JobOptions, sendDecisions } from './decision-jobs.ts'
import type { Transport } from '../transport.ts'
import type {
  FileBody,
  Item,
  Query,
  RequestBody,
  RequestOptions,
  ResponseBody,
  Result,
  WriteOptions,
} from '../types.ts'

/** Where a file is written: without `to` it is read from what is returned. */
interface To {
  readonly to: Destination
}

/** A file of lines: CSV by default. */
export interface LinesOptions extends RequestOptions {
  readonly type?: 'text/csv' | 'application/x-ndjson'
}

/** The queue of movements. */
export class OperatorEnrollments {
  readonly #transport: Transport

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport
  }

  list(query?: Query<'listEnrollmentQueue'>, options?: RequestOptions): List<Item<'listEnrollmentQueue'>> {
    return listOf(this.#transport, 'listEnrollmentQueue', [], query, options)
  }

  /** The number of movements in each status. */
  counts(query?: Query<'countEnrollments'>, options?: RequestOptions): Promise<Result<'countEnrollments'>> {
    return this.#transport.result('countEnrollments', { query, options })
  }

  /** The queue as CSV. */
  export(query: Query<'exportEnrollmentQueue'>, options: RequestOptions & To): Promise<Saved>
  export(query?: Query<'exportEnrollmentQueue'>, options?: RequestOptions): Promise<Download>
  export(query: Query<'exportEnrollmentQueue'> = {}, options: RequestOptions & Partial<To> = {}) {
    return download(this.#transport, 'exportEnrollmentQueue', [], query, options)
  }

  get(enrollmentId: string, options?: RequestOptions): Promise<Result<'readMovement'>> {
    return this.#transport.result('readMovement', { path: [enrollmentId], options })
  }

  assign(
    enrollmentId: string,
    body: RequestBody<'assignEnrollment'>,
    options?: RequestOptions,
  ): Promise<Result<'assignEnrollment'>> {
    return this.#transport.result('assignEnrollment', { path: [enrollmentId], json: body, options })
  }

  addNote(
    enrollmentId: string,
    body: RequestBody<'addEnrollmentNote'>,
    options?: RequestOptions,
  ): Promise<Result<'addEnrollmentNote'>> {
    return this.#transport.result('addEnrollmentNote', { path: [enrollmentId], json: body, options })
  }

  notes(
    enrollmentId: string,
    query?: Query<'listEnrollmentNotes'>,
    options?: RequestOptions,
  ): List<Item<'listEnrollmentNotes'>> {
    return listOf(this.#transport, 'listEnrollmentNotes', [enrollmentId], query, options)
  }

  /** Moves an enrollment to another status. */
  transition(
    enrollmentId: string,
    body: RequestBody<'moveEnrollment'>,
    options?: RequestOptions,
  ): Promise<Result<'moveEnrollment'>> {
    return this.#transport.result('moveEnrollment', { path: [enrollmentId], json: body, options })
  }

  /**
   * Moves up to 10,000 enrollments. Each succeeds or fails by itself: see `error` of the items. More than 200 are a job of the service, which goes
   * on when the call is aborted. @throws BrokenJobError
   */
  async transitionAll(
    body: RequestBody<'moveEnrollments'>,
    options: JobOptions = {},
  ): Promise<Result<'moveEnrollments'>> {
    const call = { json: body }
    const { result } = await sendDecisions(this.#transport, 'moveEnrollments', call, options, ({ result: lines }) => ({
      result: lines.map(({ line: _line, 'enrollment-id': id, ...outcome }) => ({
        'enrollment-id': id ?? '',
        ...outcome,
      })),
    }))
    return result
  }

  /**
   * The decisions of a carrier, a line each. Each succeeds or fails by itself: see `error` of the items. A file is a job of the service, which
   * goes on when the call is aborted. @throws BrokenJobError
   */
  async decide(
    file: FileBody,
    {
      'dry-run': isDryRun,
      confirm,
      type = 'text/csv',
      ...options
    }: LinesOptions & JobOptions & Query<'decideEnrollments'> = {},
  ): Promise<ResponseBody<'decideEnrollments'>> {
    const call = { raw: await rawBody(file, type), query: { 'dry-run': isDryRun, confirm } }
    return sendDecisions(this.#transport, 'decideEnrollments', call, options, (result) => result)
  }

  /** The documents of a movement. This list has no pages. */
  documents(enrollmentId: string, options?: RequestOptions): List<Item<'listEnrollmentDocuments'>> {
    return listOf(this.#transport, 'listEnrollmentDocuments', [enrollmentId], undefined, options)
  }

  document(enrollmentId: string, documentId: string, options: RequestOptions & To): Promise<Saved>
  document(enrollmentId: string, documentId: string, options?: RequestOptions): Promise<Download>
  document(enrollmentId: string, documentId: string, options: RequestOptions & Partial<To> = {}) {
    return download(this.#transport, 'readEnrollmentDocument', [enrollmentId, documentId], {}, options)
  }
}

/** Imports of the carrier's members and benefits. */
export class Imports {
  readonly #transport: Transport

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Imports a file of up to 1 GiB, a benefit a line. Name the import with `import-id`, so that it can be read when the connection breaks. */
  async create(
    file: FileBody,
    { type = 'text/csv', 'dry-run': isDryRun, 'import-id': id, ...options }: LinesOptions & Query<'importMembers'> = {},
  ): Promise<ResponseBody<'importMembers'>> {
    const raw = await rawBody(file, type)
    return this.#transport.json('importMembers', { raw, query: { 'dry-run': isDryRun, 'import-id': id }, options })
  }

  list(query?: Query<'listImports'>, options?: RequestOptions): List<Item<'listImports'>> {
    return listOf(this.#transport, 'listImports', [], query, options)
  }

  get(importId: string, options?: RequestOptions): Promise<ResponseBody<'readImport'>> {
    return this.#transport.json('readImport', { path: [importId], options })
  }

  /** The refused lines, as NDJSON or CSV. */
  errors(importId: string, options: LinesOptions & To): Promise<Saved>
  errors(importId: string, options?: LinesOptions): Promise<Download>
  errors(importId: string, { type = 'application/x-ndjson', ...options }: LinesOptions & Partial<To> = {}) {
    return download(this.#transport, 'listImportErrors', [importId], {}, options, type)
  }

  /** An empty CSV with its header. */
  template(options: WriteOptions<'readImportTemplate'> & To): Promise<Saved>
  template(options?: WriteOptions<'readImportTemplate'>): Promise<Download>
  template({ language, ...options }: WriteOptions<'readImportTemplate'> & Partial<To> = {}) {
    return download(this.#transport, 'readImportTemplate', [], { language }, options)
  }
}
