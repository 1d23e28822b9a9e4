import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { parseSearch } from '../../../../src/kernel/search.ts'
import { addMonths } from '../../../../src/registry/rules/cut-off.ts'
import { operationQuery } from '../../api/use-operation.ts'
import { useEnterChooses } from '../../components/use-enter-chooses.ts'
import { businessDate } from '../../format/date.ts'

export interface Employee {
  readonly id: string
  readonly name: string
}

const maxOffered = 50
const delayMilliseconds = 250

/** Adds one of the employees who have deductions of this month or the one before, found by name or number. */
export function EmployeeSelect(props: {
  readonly taxId: string
  readonly chosen: readonly string[]
  readonly onChoose: (employee: Employee) => void
}) {
  const { taxId, chosen, onChoose } = props
  const { t } = useTranslation(['payroll', 'states'])
  const [typed, setTyped] = useState('')
  const [text] = useDebouncedValue(typed.trim(), delayMilliseconds)
  const month = businessDate().slice(0, 7)
  const [now, before] = [useEmployees(taxId, month, text), useEmployees(taxId, addMonths(month, -1), text)]
  const isSearch = parseSearch(text) !== null
  const isSettled = text === typed.trim() && !now.isFetching && !before.isFetching
  const lines = isSearch ? [...(now.data?.result ?? []), ...(before.data?.result ?? [])] : []
  const options = new Map(
    lines
      .filter((line) => !chosen.includes(line['member-id']))
      .map((line) => [line['member-id'], { name: line.name, number: line['employee-id'] }]),
  )
  const choose = (id: string | null) => {
    const found = id === null ? undefined : options.get(id)
    if (id !== null && found !== undefined) onChoose({ id, name: found.name })
  }
  const enter = useEnterChooses([...options.keys()], isSettled, choose)
  const messageOf = () => {
    if (!isSearch) return t('payroll:leaving.typeMore')
    return isSettled ? t('payroll:leaving.nobody') : t('states:loading')
  }
  return (
    <Select
      label={t('payroll:leaving.add')}
      description={t('payroll:leaving.addHelp')}
      searchable
      maw="30rem"
      mb="md"
      value={null}
      searchValue={typed}
      onSearchChange={setTyped}
      onChange={choose}
      onKeyDown={enter}
      // The service has searched.
      filter={({ options: all }) => all}
      nothingFoundMessage={messageOf()}
      attributes={{ option: { translate: 'no' } }}
      data={[...options].map(([value, { name, number }]) => ({
        value,
        label: number === null ? name : `${name} · ${number}`,
      }))}
    />
  )
}

function useEmployees(taxId: string, month: string, q: string) {
  const query = { 'reference-month': month, q, 'items-per-page': maxOffered }
  return useQuery({
    ...operationQuery('listDeductions', { path: [taxId], query }),
    enabled: parseSearch(q) !== null,
    placeholderData: keepPreviousData,
  })
}
