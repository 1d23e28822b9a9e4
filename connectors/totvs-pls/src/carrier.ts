import type { Codes, PlsConfiguration } from './configuration.ts'
import { alterationModel, codeOf, dependentsModel, familyModel, fieldOf, hasValue } from './models.ts'
import { type ContractCodes, type Model, type PlsClient, RefusedError } from './pls-client.ts'
import type { Outcome, Shipment, ShipmentItem } from './shipment.ts'
import { primaryOf, type Task, taxIdOf } from './tasks.ts'

/** What was sent to the carrier. */
export interface Sent {
  /** null: there is no protocol to read. */
  readonly pk: string | null
  readonly protocol: string | null
}

/** A call that must be made once. */
export interface Call {
  /** @throws UncertainError when it may have been made. */
  readonly send: () => Promise<Sent>
  /** Whether it was made; null: it was not. */
  readonly find: () => Promise<Sent | null>
}

const withoutProtocol: Sent = { pk: null, protocol: null }

/** What the tasks of a shipment are at the carrier. */
export class Carrier {
  readonly #pls: PlsClient
  readonly #configuration: PlsConfiguration
  readonly #codes: Codes

  constructor(pls: PlsClient, configuration: PlsConfiguration, codes: Codes) {
    this.#pls = pls
    this.#configuration = configuration
    this.#codes = codes
  }

  /** @throws RefusedError for what the carrier's interface cannot take. */
  async call({ contract }: Shipment, { kind, items: [first, ...others] }: Task): Promise<Call> {
    if (first === undefined) throw new TypeError('A task has an item')
    const items = [first, ...others]
    const codes = await this.#pls.findContract(contract)
    const taxId = taxIdOf(first)
    switch (kind) {
      case 'family': {
        const model = familyModel(codes, items, this.#codes)
        const inProtocol = { field: ['BBA_CPFTIT', taxId], line: ['B2N_CPFUSR', taxId] } as const
        return this.#protocol(contract, codes, model, inProtocol, taxId)
      }
      case 'dependents': {
        const family = await this.#person(contract, primaryOf(first))
        if (family === null) throw new RefusedError('primary-not-found', 'The carrier does not have the primary')
        const model = dependentsModel(family.BBA_MATRIC, items, this.#codes)
        const inProtocol = { field: ['BBA_MATRIC', family.BBA_MATRIC], line: ['B2N_CPFUSR', taxId] } as const
        return this.#protocol(contract, codes, model, inProtocol, taxId)
      }
      case 'alteration': {
        const number = await this.#cardNumber(contract, first)
        const model = alterationModel(number, first.values, this.#codes, this.#configuration['login-user'])
        const inProtocol = { field: ['BBA_MATRIC', number], line: ['B7L_VLPOS', firstChange(model)] } as const
        return this.#protocol(contract, codes, model, inProtocol, null)
      }
      case 'exclusion': {
        const number = await this.#cardNumber(contract, first)
        const reason = codeOf(this.#codes, 'exclusion-reason', [first.values['movement.exclusion-reason'] ?? ''])
        const day = first.values['movement.end-date'] ?? ''
        return {
          send: async () => ({ pk: null, protocol: await this.#pls.block(codes.tenantid, number, reason, day) }),
          // Whom it has blocked, the carrier does not find any more.
          find: async () => ((await this.#person(contract, taxId)) === null ? withoutProtocol : null),
        }
      }
      case 'second-card':
      case 'contract-transfer':
        throw new RefusedError('not-supported', 'The interface has no such movement')
      default:
        throw new TypeError(kind satisfies never)
    }
  }

  /** What the carrier says of what was sent; null while it analyses it. @throws RefusedError */
  async answer({ contract }: Shipment, { kind, items }: Task, { pk, protocol }: Sent): Promise<Outcome[] | null> {
    if (pk !== null && !(await this.#isApproved(contract, kind, pk))) return null
    const outcomes: Outcome[] = []
    for (const item of items) {
      const accepted: Outcome = {
        'enrollment-id': item['enrollment-id'],
        outcome: 'accepted',
        ...(protocol === null ? {} : { protocol }),
      }
      if (item.movement === 'inclusion') {
        const person = await this.#person(contract, taxIdOf(item))
        if (person === null) return null
        const start = item.values['movement.start-date']
        const dated = start === undefined ? {} : { 'start-date': start }
        outcomes.push({ ...accepted, 'card-number': person.BBA_MATRIC, ...dated })
      } else outcomes.push(accepted)
    }
    return outcomes
  }

  /** Ends the block of a person. @param blockedOn the day of the block. */
  async unblock(contract: Shipment['contract'], cardNumber: string, blockedOn: string): Promise<void> {
    const { tenantid } = await this.#pls.findContract(contract)
    const day = new Date(Date.parse(blockedOn) - 86_400_000).toISOString().slice(0, 10)
    await this.#pls.block(tenantid, cardNumber, this.#codes.unblock, day)
  }

  async #isApproved(contract: Shipment['contract'], kind: Task['kind'], pk: string): Promise<boolean> {
    const { tenantid } = await this.#pls.findContract(contract)
    const read = await this.#pls.readModel(tenantid, kind === 'alteration' ? 'PLAltBenModel' : 'PLIncBenModel', pk)
    // An approved protocol may be read no more.
    const status = read === null ? 'approved' : this.#configuration.statuses[fieldOf(read, 'BBA_STATUS')]
    if (status === 'refused') throw new RefusedError('refused', 'The carrier refused the protocol')
    return status === 'approved'
  }

  /**
   * @param inProtocol by which the protocol is found again: a field, and a value of one of its lines.
   * @param taxId of whom the carrier has once the protocol is approved.
   */
  #protocol(
    contract: Shipment['contract'],
    { tenantid }: ContractCodes,
    model: ReturnType<typeof familyModel>,
    { field, line }: Readonly<Record<'field' | 'line', readonly [string, string]>>,
    taxId: string | null,
  ): Call {
    return {
      send: async () => sentOf(await this.#pls.createModel(tenantid, model)),
      find: async () => {
        const models = await this.#pls.findModels(tenantid, model.id, ...field)
        const own = models.find((one) => hasValue(one, ...line))
        if (own !== undefined) return sentOf(own)
        const person = taxId === null ? null : await this.#person(contract, taxId)
        return person === null ? null : withoutProtocol
      },
    }
  }

  /** A person of the contract; null when the carrier does not find one. */
  async #person(contract: Shipment['contract'], taxId: string): Promise<ContractCodes | null> {
    const person = await this.#pls.findContract(contract, taxId)
    return person.FOUND && person.BBA_MATRIC !== '' ? person : null
  }

  async #cardNumber(contract: Shipment['contract'], item: ShipmentItem): Promise<string> {
    const known = item.values['benefit.card-number'] ?? ''
    const number = known || (await this.#person(contract, taxIdOf(item)))?.BBA_MATRIC
    if (number === undefined) throw new RefusedError('not-found', 'The carrier does not have the person')
    return number
  }
}

function firstChange(model: ReturnType<typeof alterationModel>): string {
  return model.models[0]?.models[0]?.items?.[0]?.fields.find(({ id }) => id === 'B7L_VLPOS')?.value ?? ''
}

function sentOf(model: Model | null): Sent {
  if (model === null) return withoutProtocol
  return { pk: model.pk ?? null, protocol: fieldOf(model, 'BBA_CODSEQ') || null }
}
