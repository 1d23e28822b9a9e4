import { Button, Group, type GroupProps } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ComponentProps } from 'react'
import { useTranslation } from 'react-i18next'
import { parseSearch } from '../../../src/kernel/search.ts'
import { Choice } from '../components/choice.tsx'
import { DateField } from '../components/date-field.tsx'
import { SearchField } from '../components/search-field.tsx'
import { CompanySelect } from '../entities/companies/company-select.tsx'
import { formatMonth, parseMonth } from '../format/month.ts'
import { present } from './search.ts'

const useParameters = () => useSearch({ strict: false })
type Search = ReturnType<typeof useParameters>
type Name = keyof Search
type Change = { readonly [Key in Name]?: Search[Key] | undefined }

/** The parameters of the address of a list, and what changes some of them; undefined takes one away. */
export function useFilters() {
  const search = useParameters()
  const navigate = useNavigate()
  const change = (part: Change) =>
    void navigate({ to: '.', search: present({ ...search, ...part }) as never, replace: true })
  return { search, change }
}

/** The filters of a list, and the button that clears them. */
export function Filters({ children, ...group }: GroupProps) {
  const { t } = useTranslation('states')
  const { search } = useFilters()
  const navigate = useNavigate()
  return (
    <Group align="flex-end" mb="md" gap="sm" role="search" aria-label={t('filters')} {...group}>
      {children}
      {Object.keys(search).length > 0 && (
        <Button variant="default" onClick={() => void navigate({ to: '.', search: {} })}>
          {t('clearFilters')}
        </Button>
      )}
    </Group>
  )
}

/** @param props.resets filters that belong to the former company. */
export function CompanyFilter({ label, resets = [] }: { readonly label: string; readonly resets?: readonly Name[] }) {
  const { search, change } = useFilters()
  return (
    <CompanySelect
      label={label}
      value={search['company-tax-id'] ?? null}
      onChange={(taxId) =>
        change({ ...Object.fromEntries(resets.map((name) => [name, undefined])), 'company-tax-id': taxId ?? undefined })
      }
    />
  )
}

export function MonthFilter(props: { readonly label: string; readonly placeholder: string; readonly invalid: string }) {
  const { search, change } = useFilters()
  const month = search['reference-month']
  return (
    <SearchField
      label={props.label}
      placeholder={props.placeholder}
      value={month === undefined ? undefined : formatMonth(month)}
      errorOf={(text) => (parseMonth(text) === null ? props.invalid : null)}
      onChange={(text) => change({ 'reference-month': parseMonth(text ?? '')?.start.slice(0, 7) })}
    />
  )
}

type OfParameter<Props> = Omit<Props, 'value' | 'onChange'> & { readonly name: Name }

export function DayFilter({ name, ...props }: OfParameter<ComponentProps<typeof DateField>>) {
  const { search, change } = useFilters()
  return (
    <DateField
      {...props}
      value={(search[name] as string | undefined) ?? null}
      onChange={(day) => change({ [name]: day ?? undefined })}
    />
  )
}

export function TextFilter({ name, ...props }: OfParameter<ComponentProps<typeof SearchField>>) {
  const { search, change } = useFilters()
  return (
    <SearchField {...props} value={search[name] as string | undefined} onChange={(text) => change({ [name]: text })} />
  )
}

/** The search of a list, by a text of some characters. */
export function SearchFilter(props: { readonly label: string; readonly placeholder?: string }) {
  const { t } = useTranslation('states')
  return (
    <TextFilter
      {...props}
      name="q"
      clearsInvalid
      errorOf={(text) => (parseSearch(text) === null ? t('searchShort') : null)}
    />
  )
}

export function ChoiceFilter({ name, ...props }: OfParameter<ComponentProps<typeof Choice<string>>>) {
  const { search, change } = useFilters()
  return (
    <Choice {...props} value={search[name] as string | undefined} onChange={(value) => change({ [name]: value })} />
  )
}
