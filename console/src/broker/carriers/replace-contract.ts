import { api } from '../../api/client.ts'
import { bodyOf, type Contract, type ContractValues } from './contract-values.ts'

/** The contract is another than the one that was edited. */
export class ChangedContractError extends Error {
  readonly current: Contract

  constructor(current: Contract) {
    super('the contract was changed meanwhile')
    this.current = current
  }
}

/** What an operator may have changed: the next cut-off follows from the day. */
const stateOf = ({ 'next-cut-off': _cutOff, ...contract }: Contract) => JSON.stringify(contract)

/** Replaces a contract that is still as it was read. @throws ChangedContractError when it is not. */
export async function replaceUnchanged(base: Contract, values: ContractValues): Promise<Contract> {
  const current = await api.contracts.get(base['contract-id'])
  if (stateOf(current) !== stateOf(base)) throw new ChangedContractError(current)
  return api.contracts.put(base['contract-id'], bodyOf(values, base))
}
