import { Group } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { DataTable, type DataTableProps } from '../../components/data-table.tsx'
import { CompanySelect } from '../../entities/companies/company-select.tsx'
import type { ListProps } from './search.ts'

/** A list of what is due, under the filter by company. @param props.children filters before it. */
export function DueList<T extends object>(props: ListProps & DataTableProps<T> & { readonly children?: ReactNode }) {
  const { search, onChange, children, ...table } = props
  const { t } = useTranslation('deadlines')
  return (
    <>
      <Group mb="md" align="flex-end">
        {children}
        <CompanySelect
          label={t('company')}
          value={search['company-tax-id'] ?? null}
          onChange={(taxId) => onChange({ 'company-tax-id': taxId })}
        />
      </Group>
      <DataTable {...table} />
    </>
  )
}

/** The filter by company as a parameter of a list. */
export const companyOf = ({ 'company-tax-id': taxId }: ListProps['search']) =>
  taxId === undefined ? {} : { 'company-tax-id': taxId }
