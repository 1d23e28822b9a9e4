import { Button, Select } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { memo, type RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import { ALTERATION_KINDS, MOVEMENT_KINDS } from '../../../../src/domain/enums.ts'
import { useOperation } from '../../api/use-operation.ts'
import { DateField } from '../../components/date-field.tsx'
import { SearchField as NumberSearch } from '../../components/search-field.tsx'
import { Value } from '../../components/value.tsx'
import { useOperators } from '../../decisions/use-operator-names.ts'
import { saoPauloDay } from '../../format/date.ts'
import { useSession } from '../../session/session.ts'
import { CompanyFilter } from './company-filter.tsx'
import { ages, dayNames, dues, filterCount, parseQueueSearch, type QueueSearch } from './queue-search.ts'
import { SearchField } from './search-field.tsx'

interface Props {
  readonly search: QueueSearch
  readonly searchInput: RefObject<HTMLInputElement | null>
  readonly onChange: (search: QueueSearch) => void
}

/** What is shown, and in which order. */
export const QueueFilters = memo(function QueueFilters({ search, searchInput, onChange }: Props) {
  const { t } = useTranslation(['queue', 'terms', 'states'])
  const [isFolded, { toggle }] = useDisclosure(true)
  const me = useSession()?.['client-id']
  const carriers = useOperation('listCarriers').data?.result ?? []
  const operators = (useOperators() ?? []).filter((one) => one['client-id'] !== me && one.role !== 'auditor')
  /** Sets some filters; undefined removes one. */
  const change = (part: { readonly [Name in keyof QueueSearch]: string | null | undefined }) =>
    onChange(parseQueueSearch({ ...search, ...part }))
  const clear = (filter: string) => ({ 'aria-label': t('queue:filters.clear', { filter }) })
  const withClear = (label: string) => ({
    size: 'xs' as const,
    label,
    placeholder: t('queue:filters.any'),
    clearable: true,
    clearButtonProps: clear(label),
  })
  const dueValue =
    search.due ?? (search['due-before'] !== undefined || search['due-from'] !== undefined ? 'days' : null)
  const ageValue = search.age ?? (search['from-dt'] !== undefined || search['until-dt'] !== undefined ? 'days' : null)
  const dayLabels = {
    'due-from': t('queue:filters.dueFrom'),
    'due-before': t('queue:filters.dueBefore'),
    'from-dt': t('queue:filters.createdFrom'),
    'until-dt': t('queue:filters.createdUntil'),
    'resolved-from-dt': t('queue:filters.resolvedFrom'),
    'resolved-until-dt': t('queue:filters.resolvedUntil'),
  }
  const count = filterCount(search)
  return (
    <search className="queue-filters no-print" data-folded={isFolded} aria-label={t('states:filters')}>
      <SearchField input={searchInput} value={search.q ?? ''} onChange={(q) => change({ q })} />
      <Button className="search" hiddenFrom="sm" variant="default" size="xs" aria-expanded={!isFolded} onClick={toggle}>
        {t('queue:filters.more', { count })}
      </Button>
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
            'due-before': due === 'days' ? (search['due-before'] ?? saoPauloDay()) : null,
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
          change({ age, 'from-dt': age === 'days' ? (search['from-dt'] ?? saoPauloDay()) : null, 'until-dt': null })
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
            size="xs"
            label={dayLabels[name]}
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
      <NumberSearch
        size="xs"
        label={t('queue:filters.shipment')}
        placeholder={t('queue:filters.any')}
        value={search['shipment-number']?.toString()}
        errorOf={(text) => (/^[1-9]\d{0,5}$/.test(text) ? null : t('queue:filters.shipmentNumber'))}
        onChange={(number) => change({ 'shipment-number': number })}
      />
      <DateField
        size="xs"
        label={t('queue:filters.cutOff')}
        value={search['cut-off-date'] ?? null}
        onChange={(day) => change({ 'cut-off-date': day })}
      />
      {search['shipment-id'] !== undefined && (
        <Button variant="default" size="xs" onClick={() => change({ 'shipment-id': null })}>
          {t('queue:filters.everyShipment')}
        </Button>
      )}
      {search['member-id'] !== undefined && (
        <Button variant="default" size="xs" onClick={() => change({ 'member-id': null })}>
          {t('queue:filters.everybody')}
        </Button>
      )}
      <Select
        size="xs"
        label={t('queue:filters.sort')}
        allowDeselect={false}
        value={search.sort ?? 'created-at'}
        onChange={(sort) => change({ sort: sort ?? undefined })}
        data={[
          { value: 'created-at', label: t('queue:filters.byCreation') },
          { value: 'due-date', label: t('queue:filters.byDue') },
        ]}
      />
      {count > 0 && (
        <Button
          variant="default"
          size="xs"
          onClick={() => onChange(parseQueueSearch({ status: search.status, sort: search.sort }))}
        >
          {t('states:clearFilters')}
        </Button>
      )}
    </search>
  )
})
