import type { UseFormReturnType } from '@mantine/form'
import type { Item, RequestBody } from '@vigencia/client'

export type ContributionRule = Item<'listContributionRules'>
export type Share = ContributionRule['primary-employee-share']
type ContributionBody = RequestBody<'putContributionRule'>

export interface ShareValues {
  readonly kind: 'percent' | 'amount' | 'none'
  readonly 'basis-points': number | string
  readonly amount: number | null
}

export interface ContributionValues {
  /** '': every product of the contract. */
  readonly 'product-id': string
  readonly 'valid-from': string | null
  readonly 'primary-employee-share': ShareValues
  readonly 'dependent-employee-share': ShareValues
  readonly 'coparticipation-employee-share': ShareValues
  readonly 'cost-centers': string[]
  readonly 'job-titles': string[]
}

export type ContributionFields = UseFormReturnType<ContributionValues>
export type ShareName = 'primary-employee-share' | 'dependent-employee-share' | 'coparticipation-employee-share'

/** The last parts of the paths of the inputs. */
export const contributionInputs = ['product-id', 'valid-from', 'basis-points', 'amount', 'cost-centers', 'job-titles']

const percent = (points: number | string): ShareValues => ({ kind: 'percent', 'basis-points': points, amount: null })

export const newContribution = (): ContributionValues => ({
  'product-id': '',
  'valid-from': null,
  'primary-employee-share': percent(''),
  'dependent-employee-share': percent(''),
  'coparticipation-employee-share': { kind: 'none', 'basis-points': '', amount: null },
  'cost-centers': [],
  'job-titles': [],
})

function shareValues(share: Share | null): ShareValues {
  if (share === null) return { kind: 'none', 'basis-points': '', amount: null }
  return 'amount' in share
    ? { kind: 'amount', 'basis-points': '', amount: share.amount }
    : percent(share['basis-points'] / 100)
}

export const valuesOf = (rule: ContributionRule): ContributionValues => ({
  'product-id': rule['product-id'] ?? '',
  'valid-from': rule['valid-from'],
  'primary-employee-share': shareValues(rule['primary-employee-share']),
  'dependent-employee-share': shareValues(rule['dependent-employee-share']),
  'coparticipation-employee-share': shareValues(rule['coparticipation-employee-share']),
  'cost-centers': rule['cost-centers'],
  'job-titles': rule['job-titles'],
})

/** A share as the API has it; null: none, or not written yet. */
export function shareOf({ kind, 'basis-points': points, amount }: ShareValues): Share | null {
  if (kind === 'amount') return amount === null ? null : { amount }
  return kind === 'none' || points === '' ? null : { 'basis-points': Math.round(Number(points) * 100) }
}

const nothing: Share = { amount: 0 }

/** What the service takes, when the rules of the form are met. */
export const bodyOf = (contractId: string, values: ContributionValues): ContributionBody => ({
  'contract-id': contractId,
  'product-id': values['product-id'] === '' ? null : values['product-id'],
  'valid-from': values['valid-from'] ?? '',
  'primary-employee-share': shareOf(values['primary-employee-share']) ?? nothing,
  'dependent-employee-share': shareOf(values['dependent-employee-share']) ?? nothing,
  'coparticipation-employee-share': shareOf(values['coparticipation-employee-share']),
  'cost-centers': values['cost-centers'],
  'job-titles': values['job-titles'],
})
