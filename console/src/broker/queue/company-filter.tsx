import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useOperation } from '../../api/use-operation.ts'
import { Value } from '../../components/value.tsx'
import { formatCnpj } from '../../../../src/kernel/tax-id.ts'
import { plainTaxId } from '../../format/tax-id.ts'
import type { QueueSearch } from '../../entities/queue/queue-search.ts'

type Change = Pick<QueueSearch, 'company-tax-id' | 'product-id'>

/** A company by CNPJ or a part of its name, and then one of its products. */
export function CompanyFilter({
  search,
  onChange,
}: {
  readonly search: QueueSearch
  readonly onChange: (change: Change) => void
}) {
  const { t } = useTranslation('queue')
  const taxId = search['company-tax-id']
  const [text, setText] = useState('')
  const [written] = useDebouncedValue(text.trim(), 200)
  const chosen = useOperation('readAnyCompany', { path: [taxId ?? ''] }, { enabled: taxId !== undefined }).data?.result
  const nameOf = (one: { readonly name: string; readonly 'tax-id': string }) =>
    `${one.name} · ${formatCnpj(one['tax-id'])}`
  // The text of the chosen company is no search.
  const isSearch = chosen === undefined || written !== nameOf(chosen)
  const found = useOperation('searchCompanies', {
    query: { ...(isSearch && written !== '' ? { q: written } : {}), 'items-per-page': 30 },
  }).data?.result
  const companies = [...(found ?? [])]
  if (chosen !== undefined && !companies.some((one) => one['tax-id'] === chosen['tax-id'])) companies.push(chosen)
  return (
    <>
      <Select
        size="xs"
        comboboxProps={{ withinPortal: false }}
        translate="no"
        label={<span translate="yes">{t('filters.company')}</span>}
        placeholder={t('filters.companyHint')}
        searchable
        clearable
        clearButtonProps={{ 'aria-label': t('filters.clear', { filter: t('filters.company') }) }}
        value={taxId ?? null}
        searchValue={text}
        onSearchChange={setText}
        // The service has found them, by names without accents and CNPJs in any form.
        filter={({ options }) => options}
        nothingFoundMessage={t('filters.noCompany')}
        onChange={(value) => onChange(value === null ? {} : { 'company-tax-id': plainTaxId(value) })}
        renderOption={({ option }) => <Value>{option.label}</Value>}
        data={companies.map((one) => ({ value: one['tax-id'], label: nameOf(one) }))}
      />
      {taxId !== undefined && (
        <Select
          size="xs"
          comboboxProps={{ withinPortal: false }}
          translate="no"
          label={<span translate="yes">{t('filters.product')}</span>}
          placeholder={t('filters.any')}
          clearable
          clearButtonProps={{ 'aria-label': t('filters.clear', { filter: t('filters.product') }) }}
          value={search['product-id'] ?? null}
          onChange={(value) =>
            onChange({ 'company-tax-id': taxId, ...(value === null ? {} : { 'product-id': value }) })
          }
          renderOption={({ option }) => <Value>{option.label}</Value>}
          data={(chosen?.products ?? []).map((one) => ({ value: one['product-id'], label: one['product-name'] }))}
        />
      )}
    </>
  )
}
