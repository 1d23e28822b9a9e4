import { Button, Popover } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { memo, type RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import { FilterChips } from './filter-chips.tsx'
import { type Change, FilterForm } from './filter-form.tsx'
import { filterCount, parseQueueSearch, type QueueSearch } from '../../entities/queue/queue-search.ts'
import { SearchField } from './search-field.tsx'

interface Props {
  readonly search: QueueSearch
  readonly searchInput: RefObject<HTMLInputElement | null>
  readonly onChange: (search: QueueSearch) => void
}

/** What is shown: the search, a chip for each filter that is set, and a form to set them. */
export const QueueFilters = memo(function QueueFilters({ search, searchInput, onChange }: Props) {
  const { t } = useTranslation(['queue', 'states'])
  const [isOpen, { toggle, open, close }] = useDisclosure(false)
  const change: Change = (part) => onChange(parseQueueSearch({ ...search, ...part }))
  return (
    <search className="queue-filters no-print" aria-label={t('states:filters')}>
      <SearchField input={searchInput} value={search.q ?? ''} onChange={(q) => change({ q })} />
      <FilterChips
        search={search}
        onEdit={open}
        onRemove={(names) => change(Object.fromEntries(names.map((name) => [name, null])))}
      />
      <Popover
        opened={isOpen}
        onChange={(next) => next || close()}
        position="bottom-start"
        width="min(26rem, calc(100vw - 2rem))"
        trapFocus
      >
        <Popover.Target>
          <Button variant="default" size="xs" onClick={toggle}>
            {t('queue:filters.add')}
          </Button>
        </Popover.Target>
        <Popover.Dropdown aria-label={t('states:filters')} mah="70vh" style={{ overflowY: 'auto' }}>
          <FilterForm search={search} change={change} />
        </Popover.Dropdown>
      </Popover>
      {filterCount(search) > 0 && (
        <Button
          variant="subtle"
          size="xs"
          onClick={() => onChange(parseQueueSearch({ status: search.status, sort: search.sort }))}
        >
          {t('states:clearFilters')}
        </Button>
      )}
    </search>
  )
})
