import type { Item } from '@vigencia/client'
import { useOperation } from '../../api/use-operation.ts'
import { contractNumber } from '../../format/contract-number.ts'

type Contract = Item<'listContracts'>

/** The contracts of a company; none while they load, or without a company. */
export function useContracts(companyTaxId: string | null | undefined): readonly Contract[] {
  const query = { 'company-tax-id': companyTaxId ?? '', 'items-per-page': 500 }
  return useOperation('listContracts', { query }, { enabled: companyTaxId != null }).data?.result ?? []
}

/** A contract in a choice. */
export const contractOption = (contract: Contract) => ({
  value: contract['contract-id'],
  label: `${contract['carrier-name']} · ${contractNumber(contract)}`,
})
