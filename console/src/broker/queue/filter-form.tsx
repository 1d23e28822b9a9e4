import { Select } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { ALTERATION_KINDS, MOVEMENT_KINDS } from '../../../../src/kernel/enums.ts'
import { useOperation } from '../../api/use-operation.ts'
import { DateField } from '../../components/date-field.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { Value } from '../../components/value.tsx'
import { useOperators } from '../../entities/decisions/use-operator-names.ts'
import { businessDate } from '../../format/date.ts'
import { useSession } from '../../session/session.ts'
import { CompanyFilter } from './company-filter.tsx'
import { ages, dayNames, dues, type QueueSearch } from '../../entities/queue/queue-search.ts'

/** Sets some filters; null or undefined removes one. */
export type Change = (part: { readonly [Name in keyof QueueSearch]: string | null | undefined }) => void

/** Every filter of the queue, but for the search. */
export function FilterForm({ search, change }: { readonly search: QueueSearch; readonly change: Change }) {
  const { t } = useTranslation(['queue', 'terms'])
  const me = useSession()?.['client-id']
  const carriers = useOperation('listCarriers').data?.result ?? []
  const operators = (useOperators() ?? []).filter((one) => one['client-id'] !== me && one.role !== 'auditor')
  const withClear = (label: string) => ({
    size: 'xs' as const,
    label,
    placeholder: t('queue:filters.any'),
    clearable: true,
    clearButtonProps: { 'aria-label': t('queue:filters.clear', { filter: label }) },
    // A click on an option is none outside of the form.
    comboboxProps: { withinPortal: false },
  })
  const dueValue =
    search.due ?? (search['due-before'] !== undefined || search['due-from'] !== undefined ? 'days' : null)
  const ageValue = search.age ?? (search['from-dt'] !== undefined || search['until-dt'] !== undefined ? 'days' : null)
  return (
    <div className="queue-form">
      <Select
        {...withClear(t('queue:filters.type'))}
        value={search['alteration-kind'] ?? search['enrollment-type'] ?? null}
        onChange={(chosen) => {
          const kind = ALTERATION_KINDS.find((one) => one === chosen)
          change({ 'enrollment-type': kind === undefined ? chosen : 'alteration', 'alteration-kind': kind })
        }}
        data={[
          ...MOVEMENT_KINDS.map((value) => ({ value, label: t(`terms:type.${value}`) })),
          ...ALTERATION_KINDS.map((value) => ({ value, label: t(`terms:alterationKind.${value}`) })),
        ]}
      />
      <Select
        {...withClear(t('queue:filters.carrier'))}
        label={<span translate="yes">{t('queue:filters.carrier')}</span>}
        translate="no"
        searchable
        value={search['carrier-name'] ?? null}
        onChange={(name) => change({ 'carrier-name': name })}
        renderOption={({ option }) => <Value>{option.label}</Value>}
        data={carriers.map(({ name }) => name)}
      />
      <CompanyFilter
        search={search}
        onChange={(chosen) => change({ 'company-tax-id': null, 'product-id': null, ...chosen })}
      />
      <Select
        {...withClear(t('queue:filters.assignee'))}
        value={search.assignee ?? null}
        onChange={(assignee) => change({ assignee })}
        data={[
          { value: 'me', label: t('queue:filters.me') },
          { value: 'none', label: t('queue:filters.nobody') },
          ...operators.map((one) => ({ value: one['client-id'], label: one.name })),
        ]}
        renderOption={({ option }) => (
          <span translate={option.value === 'me' || option.value === 'none' ? 'yes' : 'no'}>{option.label}</span>
        )}
      />
      <Select
        {...withClear(t('queue:filters.due'))}
        value={dueValue}
        onChange={(due) =>
          change({
            due,
            'due-from': null,
            'due-before': due === 'days' ? (search['due-before'] ?? businessDate()) : null,
          })
        }
        data={[
          ...dues.map((value) => ({ value, label: t(`queue:filters.dues.${value}`) })),
          { value: 'days', label: t('queue:filters.dues.days') },
        ]}
      />
      <Select
        {...withClear(t('queue:filters.age'))}
        value={ageValue}
        onChange={(age) =>
          change({ age, 'from-dt': age === 'days' ? (search['from-dt'] ?? businessDate()) : null, 'until-dt': null })
        }
        data={[
          ...ages.map((value) => ({ value, label: t(`queue:filters.ages.${value}`) })),
          { value: 'days', label: t('queue:filters.ages.days') },
        ]}
      />
      {dayNames
        .filter((name) => search[name] !== undefined || (name === 'until-dt' && ageValue === 'days'))
        .map((name) => (
          <DateField
            key={name}
            label={t(`queue:filters.days.${name}`)}
            value={search[name] ?? null}
            onChange={(day) => change({ [name]: day })}
          />
        ))}
      <Select
        {...withClear(t('queue:filters.atCarrier'))}
        value={search.overdue === true ? 'overdue' : null}
        onChange={(value) => change({ overdue: value === null ? null : 'true' })}
        data={[{ value: 'overdue', label: t('queue:filters.withoutAnswer') }]}
      />
      <SearchField
        size="xs"
        label={t('queue:filters.shipment')}
        placeholder={t('queue:filters.any')}
        value={search['shipment-number']?.toString()}
        errorOf={(text) => (/^[1-9]\d{0,5}$/.test(text) ? null : t('queue:filters.shipmentNumber'))}
        onChange={(number) => change({ 'shipment-number': number })}
      />
      <DateField
        label={t('queue:filters.cutOff')}
        value={search['cut-off-date'] ?? null}
        onChange={(day) => change({ 'cut-off-date': day })}
      />
      <Select
        {...withClear(t('queue:filters.partner'))}
        value={search.answered === true ? 'answered' : null}
        onChange={(value) => change({ answered: value === null ? null : 'true' })}
        data={[{ value: 'answered', label: t('queue:answered') }]}
      />
    </div>
  )
}
