import type { ResponseBody } from '@vigencia/client'
import type { ReactNode } from 'react'

export type Forecast = ResponseBody<'readForecast'>['result']
export type CompanyForecast = ResponseBody<'readCompanyForecast'>['result']
export type CarrierForecast = ResponseBody<'readForecastOfCompany'>['result']['contracts'][number]
export type Variance = NonNullable<CarrierForecast['variance']>

/** What a forecast of a contract and that of a company have in common. */
export type Figures = Pick<
  CompanyForecast,
  | 'reference-month'
  | 'as-of'
  | 'last-amount'
  | 'by-certainty'
  | 'total'
  | 'by-cause'
  | 'later'
  | 'later-by-invoice'
  | 'lost'
>

/** How much the next invoice is more than the last; null: not known. */
export const changeOf = ({ total, 'last-amount': last }: Pick<Figures, 'total' | 'last-amount'>): number | null =>
  total === null || last === null ? null : total - last

/** The way from a figure to its people; without a page of them only the words. */
export type PeopleLink = (
  search: { readonly cause?: string; readonly certainty?: string; readonly variance?: string },
  words: string,
) => ReactNode

/** Those of a forecast for which nothing is missing. */
export interface KnownFigures {
  readonly last: number
  readonly total: number
  readonly amounts: NonNullable<Figures['by-certainty']>
  readonly causes: Figures['by-cause']
}

export const certainties = ['firm', 'scheduled', 'at-carrier', 'requested'] as const
