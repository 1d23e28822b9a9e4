import { Select, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { operationQuery } from '../../api/use-operation.ts'
import { useEnterChooses } from '../../components/use-enter-chooses.ts'
import { queryOf, searchError } from '../../entities/members/search.ts'
import { formatCpf } from '../../format/tax-id.ts'

interface Person {
  readonly id: string
  readonly profile: { readonly name: string; readonly 'tax-id': string }
}

const maxOffered = 20
const delayMilliseconds = 250

/** A person, found by name, CPF, e-mail address, employee id or card. @param props.companyTaxId of whose people only. */
export function MemberSelect(props: {
  readonly label: string
  readonly description?: string
  readonly companyTaxId: string | undefined
  readonly chosen: Person | undefined
  readonly onChange: (id: string | undefined) => void
}) {
  const { t } = useTranslation(['members', 'states'])
  const { label, description, companyTaxId, chosen, onChange } = props
  const [typed, setTyped] = useState('')
  const [text] = useDebouncedValue(typed.trim(), delayMilliseconds)
  const labelOf = ({ profile }: Person) => `${profile.name} · ${formatCpf(profile['tax-id'])}`
  const isChosen = chosen !== undefined && text === labelOf(chosen)
  const query =
    isChosen || text === '' ? null : queryOf({ q: text, ...(companyTaxId && { 'company-tax-id': companyTaxId }) })
  const found = useQuery({
    ...operationQuery('searchMembers', { query: { ...query, disclose: true, 'items-per-page': maxOffered } }),
    enabled: query !== null,
    placeholderData: keepPreviousData,
    // What was typed may be a CPF: it is not kept.
    gcTime: 0,
  })
  const people = query === null ? [] : (found.data?.result ?? [])
  const isSettled = text === typed.trim() && !found.isFetching
  const choose = (id: string | null) => onChange(id ?? undefined)
  const enter = useEnterChooses(
    people.map(({ id }) => id),
    isSettled,
    choose,
  )
  const options = new Map<string, Person>(
    [...(chosen === undefined ? [] : [chosen]), ...people].map((one) => [one.id, one]),
  )
  const companiesOf = new Map(people.map(({ id, companies }) => [id, companies.map(({ name }) => name).join(', ')]))
  const error = typed.trim() === '' || isChosen ? null : searchError(typed)
  const messageOf = () => {
    if (typed.trim() === '') return undefined
    if (error !== null) return t(`members:${error}`)
    return isSettled ? t('members:nobody') : t('states:loading')
  }
  return (
    <Select
      label={label}
      description={description}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': t('members:clearPerson') }}
      value={chosen?.id ?? null}
      onChange={choose}
      onSearchChange={setTyped}
      onKeyDown={enter}
      // The service has searched.
      filter={({ options: all }) => all}
      nothingFoundMessage={messageOf()}
      attributes={{ option: { translate: 'no' } }}
      data={[...options.values()].map((one) => ({ value: one.id, label: labelOf(one) }))}
      renderOption={({ option }) => (
        <div>
          <Text size="sm">{option.label}</Text>
          <Text size="xs" c="dimmed">
            {companiesOf.get(option.value)}
          </Text>
        </div>
      )}
    />
  )
}
