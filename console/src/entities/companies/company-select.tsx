import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { parseCnpj } from '../../../../src/kernel/tax-id.ts'
import { operationQuery } from '../../api/use-operation.ts'
import { useEnterChooses } from '../../components/use-enter-chooses.ts'
import { formatCnpj } from '../../../../src/kernel/tax-id.ts'
import { plainTaxId } from '../../format/tax-id.ts'

const maxOffered = 50
const delayMilliseconds = 250

/** A company, found by name or CNPJ. `value` and `onChange` have its CNPJ; null: none. */
export function CompanySelect(props: {
  readonly label: string
  readonly value: string | null
  readonly onChange: (taxId: string | null) => void
  readonly required?: boolean
  readonly placeholder?: string
  readonly error?: string | undefined
  /** Enter chooses what was found first. */
  readonly enterChooses?: boolean
}) {
  const { t } = useTranslation('invoices')
  const [typed, setTyped] = useState('')
  const [text] = useDebouncedValue(typed, delayMilliseconds)
  const chosen = useQuery({
    ...operationQuery('readAnyCompany', { path: [props.value ?? ''] }),
    enabled: props.value !== null,
  })
  const company = props.value === null ? undefined : chosen.data?.result
  const nameOf = (one: { readonly name: string; readonly 'tax-id': string }) =>
    `${one.name} · ${formatCnpj(one['tax-id'])}`
  // The name of the chosen company in the field is no search.
  const search = company !== undefined && text === nameOf(company) ? '' : text.trim()
  const found = useQuery({
    ...operationQuery('searchCompanies', {
      query: { q: (parseCnpj(plainTaxId(search)) ?? search) || undefined, 'items-per-page': maxOffered },
    }),
    placeholderData: keepPreviousData,
  })
  const enter = useEnterChooses(
    (found.data?.result ?? []).map((one) => one['tax-id']),
    text === typed && !found.isFetching && search !== '',
    props.onChange,
  )
  const companies = new Map(
    [...(company === undefined ? [] : [company]), ...(found.data?.result ?? [])].map((one) => [one['tax-id'], one]),
  )
  return (
    <Select
      label={props.label}
      required={props.required ?? false}
      placeholder={props.placeholder ?? t('companyPlaceholder')}
      error={props.error}
      searchable
      clearable={props.required !== true}
      clearButtonProps={{ 'aria-label': t('clearCompany') }}
      w={props.required ? undefined : '18rem'}
      maw="100%"
      value={props.value}
      onChange={props.onChange}
      onSearchChange={setTyped}
      {...(props.enterChooses ? { onKeyDown: enter } : {})}
      // The service has searched.
      filter={({ options }) => options}
      nothingFoundMessage={t('noCompany')}
      attributes={{ option: { translate: 'no' } }}
      data={[...companies.values()].map((one) => ({ value: one['tax-id'], label: nameOf(one) }))}
    />
  )
}
