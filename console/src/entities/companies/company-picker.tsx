import { MultiSelect } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Company } from '@vigencia/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { operationQuery } from '../../api/use-operation.ts'
import { companySearchText } from './company-search-text.ts'
import { formatCnpj } from '../../../../src/kernel/tax-id.ts'

/** Companies, found by name or CNPJ. @param props.excluded CNPJs that are not offered. */
export function CompanyPicker(props: {
  readonly label: string
  readonly value: readonly string[]
  readonly onChange: (taxIds: string[]) => void
  readonly error?: string | undefined
  readonly excluded?: readonly string[]
  readonly isFirst?: boolean
}) {
  const { t } = useTranslation('clients')
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState<readonly Pick<Company, 'tax-id' | 'name'>[]>([])
  const [search] = useDebouncedValue(text.trim(), 250)
  const found = useQuery({
    ...operationQuery('searchCompanies', {
      query: { q: companySearchText(search) || undefined, 'items-per-page': 50 },
    }),
    placeholderData: keepPreviousData,
  })
  const excluded = new Set(props.excluded)
  const companies = new Map(
    [...chosen, ...(found.data?.result ?? [])].map((company) => [company['tax-id'], company] as const),
  )
  return (
    <MultiSelect
      label={props.label}
      description={t('companiesDescription')}
      placeholder={t('companiesPlaceholder')}
      searchable
      hidePickedOptions
      clearable
      clearButtonProps={{ 'aria-label': t('clearCompanies') }}
      error={props.error}
      searchValue={text}
      onSearchChange={setText}
      // The service has searched.
      filter={({ options }) => options}
      nothingFoundMessage={found.isFetching ? t('searching') : t('noCompanyFound')}
      maxDropdownHeight={240}
      // Names of companies.
      attributes={{ option: { translate: 'no' }, pill: { translate: 'no' } }}
      data={[...companies.values()]
        .filter((company) => !excluded.has(company['tax-id']))
        .map((company) => ({
          value: company['tax-id'],
          label: `${company.name} · ${formatCnpj(company['tax-id'])}`,
        }))}
      value={[...props.value]}
      onChange={(taxIds) => {
        setChosen(taxIds.flatMap((taxId) => companies.get(taxId) ?? []))
        props.onChange(taxIds)
      }}
      {...(props.isFirst ? { 'data-autofocus': true } : {})}
    />
  )
}
