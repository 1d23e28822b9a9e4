import { type Carrier, type Sent } from './carrier.ts'
import type { Codes } from './configuration.ts'
import { Journal } from './journal.ts'
import { beneficiary } from './models.ts'
import { backOff, type Pause, RefusedError, UncertainError } from './pls-client.ts'
import type { Outcome, Shipment, ShipmentItem } from './shipment.ts'
import { type Task, tasksOf } from './tasks.ts'

export interface WorkerOptions {
  readonly stateFolder: string
  readonly carrier: Carrier
  readonly codes: Codes
  readonly pause: Pause
  /** Sends outcomes to the service. Sending them again changes nothing. */
  readonly acknowledge: (shipmentId: string, outcomes: readonly Outcome[]) => Promise<void>
  /** Without data of people. */
  readonly log: (message: string, details: Readonly<Record<string, string>>) => void
}

/** Takes the stored shipments to the carrier, reads what becomes of them, and acknowledges it. */
export class Worker {
  readonly #options: WorkerOptions

  constructor(options: WorkerOptions) {
    this.#options = options
  }

  /** One round over all shipments that are not finished. @returns how many are left. */
  async round(): Promise<number> {
    const { stateFolder, log } = this.#options
    let left = 0
    for (const id of await Journal.list(stateFolder)) {
      const journal = await Journal.read(stateFolder, id)
      if (journal === null || journal.shipment === null) continue
      try {
        if (!(await this.#shipment(journal, journal.shipment))) left += 1
      } catch (error) {
        left += 1
        log('shipment put off', { 'shipment-id': id, error: (error as Error).message })
      } finally {
        await journal.close()
      }
    }
    return left
  }

  /** @returns whether it is finished. */
  async #shipment(journal: Journal, shipment: Shipment): Promise<boolean> {
    const tasks = tasksOf(shipment)
    for (const task of tasks) {
      if (journal.progress(task.id).outcomes !== undefined) continue
      try {
        const outcomes = await this.#task(journal, shipment, task)
        if (outcomes !== null) await journal.append({ step: 'decided', task: task.id, outcomes })
      } catch (error) {
        if (!(error instanceof UncertainError)) throw error
        // The others may get through. This one is taken up in the next round.
        this.#options.log('item put off', { 'enrollment-id': task.id, error: error.message })
      }
    }
    await this.#acknowledge(journal, shipment, tasks)
    const isFinished = tasks.every((task) => journal.progress(task.id).isAcknowledged)
    if (isFinished) await journal.finish(this.#options.stateFolder)
    return isFinished
  }

  async #acknowledge(journal: Journal, shipment: Shipment, tasks: readonly Task[]): Promise<void> {
    const decided = tasks.flatMap(({ id }) => {
      const { outcomes, isAcknowledged } = journal.progress(id)
      return outcomes === undefined || isAcknowledged ? [] : [{ id, outcomes }]
    })
    if (decided.length === 0) return
    const outcomes = decided.flatMap((task) => task.outcomes)
    await this.#options.acknowledge(shipment['shipment-id'], outcomes)
    for (const { id } of decided) await journal.append({ step: 'acknowledged', task: id })
  }

  /** @returns what became of the items; null while the carrier analyses them. */
  async #task(journal: Journal, shipment: Shipment, task: Task): Promise<readonly Outcome[] | null> {
    const refused = refusedItems(task, this.#options.codes)
    const taken = { ...task, items: task.items.filter((item) => !refused.has(item)) }
    const outcomes = [...refused].map(([item, error]) => refusal(item, error))
    if (taken.items.length === 0) return outcomes
    try {
      const sent = journal.progress(task.id).sent ?? (await this.#send(journal, shipment, taken))
      const answer = await this.#options.carrier.answer(shipment, taken, sent)
      return answer === null ? null : [...answer, ...outcomes]
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error
      return [...taken.items.map((item) => refusal(item, error)), ...outcomes]
    }
  }

  /** Sends a task once: before a repeat, also after a crash, the carrier is asked whether it has it. */
  async #send(journal: Journal, shipment: Shipment, task: Task): Promise<Sent> {
    const call = await this.#options.carrier.call(shipment, task)
    const attempt = async () => {
      const found = journal.progress(task.id).isSending ? await call.find() : null
      if (found !== null) return found
      await journal.append({ step: 'sending', task: task.id })
      return call.send()
    }
    const sent = await this.#repeat(attempt)
    await journal.append({ step: 'sent', task: task.id, ...sent })
    return sent
  }

  async #repeat<T>(attempt: () => Promise<T>): Promise<T> {
    for (const delay of backOff) {
      try {
        return await attempt()
      } catch (error) {
        if (!(error instanceof UncertainError)) throw error
        await this.#options.pause(delay)
      }
    }
    return attempt()
  }
}

/** The people that the carrier's interface cannot take, and without their primary its dependents. */
function refusedItems({ kind, items }: Task, codes: Codes): Map<ShipmentItem, RefusedError> {
  const refused = new Map<ShipmentItem, RefusedError>()
  if (kind !== 'family' && kind !== 'dependents') return refused
  for (const item of items) {
    try {
      beneficiary(item.values, codes)
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error
      refused.set(item, error)
    }
  }
  const [primary] = items
  if (kind === 'family' && primary !== undefined && refused.has(primary)) {
    const error = new RefusedError('primary-refused', 'The primary of the family was refused')
    for (const item of items) if (!refused.has(item)) refused.set(item, error)
  }
  return refused
}

function refusal(item: ShipmentItem, { code, message }: RefusedError): Outcome {
  const worded = message === '' ? {} : { message }
  return { 'enrollment-id': item['enrollment-id'], outcome: 'refused', code, ...worded }
}
