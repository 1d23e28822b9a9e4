import { rawBody } from '../files.ts'
import { Enrollments as Methods } from '../generated/operator.ts'
import { readJson, resultOf, type Transport } from '../transport.ts'
import type {
  DecisionJob,
  FileBody,
  LinesOptions,
  Query,
  RequestBody,
  RequestOptions,
  ResponseBody,
  Result,
} from '../types.ts'
import { type JobOptions, sendDecisions } from './decision-jobs.ts'

/** The queue of movements. */
export class Enrollments extends Methods {
  readonly #transport: Transport

  constructor(transport: Transport) {
    super(transport)
    this.#transport = transport
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
   * `transitionAll` that can be undone for some seconds, with `decisionJobs.undo`. @returns the job, which waits until its `undo-until`; or the
   * results, when every enrollment is refused, or decisions do not wait at this service.
   */
  async transitionUndoable(
    body: RequestBody<'moveEnrollments'>,
    options: RequestOptions = {},
  ): Promise<DecisionJob | Result<'moveEnrollments'>> {
    const call = { json: { ...body, undoable: true }, options }
    const sent = await this.#transport.send('moveEnrollments', call, async (response) => readJson<unknown>(response))
    return resultOf(sent) as DecisionJob | Result<'moveEnrollments'>
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
      sheet,
      type = 'text/csv',
      ...options
    }: LinesOptions & JobOptions & Query<'decideEnrollments'> = {},
  ): Promise<ResponseBody<'decideEnrollments'>> {
    const call = { raw: await rawBody(file, type), query: { 'dry-run': isDryRun, confirm, sheet } }
    return sendDecisions(this.#transport, 'decideEnrollments', call, options, (result) => result)
  }
}
