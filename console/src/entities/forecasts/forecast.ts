import type { ResponseBody } from '@vigencia/client'
import type { ReactNode } from 'react'

export type Forecast = ResponseBody<'readForecast'>['result']
export type CompanyForecast = ResponseBody<'readCompanyForecast'>['result']
export type CarrierForecast = ResponseBody<'readForecastOfCompany'>['result']['contracts'][number]
export type Variance = NonNullable<CarrierForecast['variance']>

/** What a forecast of a contract and that of a company have in common. */
export type Figures = Pick<
  CompanyForecast,
  'reference-month' | 'as-of' | 'last-amount' | 'by-certainty' | 'total' | 'by-cause' | 'later' | 'lost'
>

/** The way from a figure to its people; without a page of them only the words. */
export type PeopleLink = (search: { readonly cause?: string; readonly certainty?: string }, words: string) => ReactNode

export const certainties = ['firm', 'scheduled', 'at-carrier', 'requested'] as const
