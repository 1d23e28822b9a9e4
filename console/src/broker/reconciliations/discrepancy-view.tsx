import { Button, CloseButton, Group, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DISCREPANCY_STATUSES } from '../../../../src/kernel/reconciliation.ts'
import { api } from '../../api/client.ts'
import { usePagedList } from '../../api/use-paged-list.ts'
import { Choice } from '../../components/choice.tsx'
import { DataTable } from '../../components/data-table.tsx'
import { TextLink } from '../../components/link.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { MoneyValue, NumberValue } from '../../components/value.tsx'
import { WorkbookButton } from '../../components/workbook-button.tsx'
import { useOperatorNames } from '../../entities/decisions/use-operator-names.ts'
import { formatNumber } from '../../format/number.ts'
import { useSession } from '../../session/session.ts'
import { usePermission } from '../../session/use-permission.ts'
import { type Act, acts, ChangeDialog } from './change-dialog.tsx'
import { ClaimDialog } from './claim-dialog.tsx'
import { CorrectDialog } from './correct-dialog.tsx'
import { columnsOf } from './discrepancy-columns.tsx'
import { countOf, type Discrepancy, type Reconciliation } from '../../entities/reconciliations/reconciliation.ts'
import type { FileSearch } from './search.ts'

const route = getRouteApi('/shell/reconciliations/$fileId')

/** The selection for the filters of `key`. */
interface Selection {
  readonly key: string
  readonly ids: ReadonlySet<string>
}

interface Props {
  readonly reconciliation: Reconciliation
}

/** The discrepancies of a reconciliation under filters, and what is done with them. */
export function DiscrepancyView({ reconciliation }: Props) {
  const { t } = useTranslation(['reconciliations', 'terms'])
  const { view: _view, match: _match, ...filter } = route.useSearch()
  const id = reconciliation['reconciliation-id']
  const isOpen = reconciliation.status === 'open'
  const mayChange = usePermission('changeDiscrepancies') && isOpen
  const mayCorrect = usePermission('correctDiscrepancy') && isOpen
  const mayReadMembers = usePermission('readAnyMember')
  const nameOf = useOperatorNames()
  const list = usePagedList('listDiscrepancies', filter, { path: [id] })
  const queryClient = useQueryClient()
  const computedAt = reconciliation['computed-at']
  // oxlint-disable-next-line react/exhaustive-effect-dependencies -- what was read while it was computed again is of before
  useEffect(() => void queryClient.invalidateQueries({ queryKey: ['listDiscrepancies'] }), [queryClient, computedAt])
  const [corrected, setCorrected] = useState<Discrepancy | null>(null)
  // Other filters select nothing.
  const [selection, setSelection] = useState<Selection>({ key: list.key, ids: new Set() })
  const selected: ReadonlySet<string> = selection.key === list.key ? selection.ids : new Set()
  const select = (ids: ReadonlySet<string>) => setSelection({ key: list.key, ids })
  const columns = columnsOf(t, {
    reconciliation,
    nameOf,
    mayReadMembers,
    onCorrect: mayCorrect ? setCorrected : null,
  })
  return (
    <>
      <ClassTabs reconciliation={reconciliation} />
      <Filters id={id} />
      <DataTable
        label={t('reconciliations:discrepancies')}
        columns={columns}
        list={list}
        idOf={(one) => one['discrepancy-id']}
        empty={t('reconciliations:noDiscrepancy')}
        maxHeight="60vh"
        {...(mayChange ? { selected, onSelect: select } : {})}
      />
      {mayChange && (
        <SelectionBar
          id={id}
          isInvoice={reconciliation.kind === 'invoice'}
          selected={selected}
          filter={filter}
          total={list.total}
          onClear={() => select(new Set())}
        />
      )}
      {corrected !== null && (
        <CorrectDialog key={corrected['discrepancy-id']} discrepancy={corrected} onClose={() => setCorrected(null)} />
      )}
    </>
  )
}

function ClassTabs({ reconciliation }: Props) {
  const { t } = useTranslation(['reconciliations', 'terms'])
  const { fileId } = route.useParams()
  const { class: chosen } = route.useSearch()
  const { counts } = reconciliation
  const tabs = [
    {
      name: undefined,
      label: t('reconciliations:all'),
      count: counts.reduce((sum, one) => sum + countOf(one), 0),
      amount: null,
    },
    ...counts.map((one) => ({
      name: one.class,
      label: t(`terms:discrepancyClass.${one.class}`),
      count: countOf(one),
      amount: one.amount,
    })),
  ]
  return (
    <Group component="nav" gap="lg" mb="xs" aria-label={t('reconciliations:classes')}>
      {tabs.map(({ name, label, count, amount }) => (
        <TextLink
          from="/reconciliations/$fileId"
          to="/reconciliations/$fileId"
          params={{ fileId }}
          search={({ class: _class, ...others }: FileSearch) =>
            name === undefined ? others : { ...others, class: name }
          }
          replace
          activeProps={{}}
          key={name ?? 'all'}
          {...(name === chosen ? { 'aria-current': 'true' as const, fw: 700 } : {})}
        >
          {label} (<NumberValue value={count} />)
          {amount !== null && (
            <Text span size="sm" fw={400} c="dimmed">
              {' '}
              <MoneyValue value={amount} />
            </Text>
          )}
        </TextLink>
      ))}
    </Group>
  )
}

function Filters({ id }: { readonly id: string }) {
  const { t } = useTranslation(['reconciliations', 'terms'])
  const { view: _view, match: _match, ...search } = route.useSearch()
  const navigate = route.useNavigate()
  const me = useSession()?.['client-id'] ?? ''
  const change = (part: { readonly [Name in keyof FileSearch]: FileSearch[Name] | undefined }) => {
    const next = Object.entries({ ...search, ...part }).filter(([, value]) => value !== undefined)
    void navigate({ search: Object.fromEntries(next) as FileSearch, replace: true })
  }
  return (
    <Group mb="xs" align="flex-end" gap="sm">
      <SearchField
        label={t('reconciliations:person')}
        value={search.q}
        errorOf={(text) => (text.length < 3 ? t('reconciliations:tooShort') : null)}
        onChange={(q) => change({ q })}
      />
      <Choice
        label={t('reconciliations:status')}
        any={t('reconciliations:any')}
        value={search.status}
        onChange={(status) => change({ status })}
        data={DISCREPANCY_STATUSES.map((value) => ({ value, label: t(`terms:discrepancyStatus.${value}`) }))}
      />
      <Choice
        label={t('reconciliations:assignee')}
        any={t('reconciliations:any')}
        value={search.assignee}
        onChange={(assignee) => change({ assignee })}
        data={[{ value: me, label: t('reconciliations:mine') }]}
      />
      <WorkbookButton
        fileName={t('reconciliations:fileName')}
        read={(options) => api.reconciliations.export(id, search, options)}
      >
        {t('reconciliations:export')}
      </WorkbookButton>
    </Group>
  )
}

/** What can be done with the selected discrepancies, or with all that the filters select. */
function SelectionBar(props: {
  readonly id: string
  readonly isInvoice: boolean
  readonly selected: ReadonlySet<string>
  readonly filter: FileSearch
  readonly total: number | null
  readonly onClear: () => void
}) {
  const { id, selected, filter, onClear } = props
  const { t } = useTranslation('reconciliations')
  // Another selection is not all any more.
  const [all, setAll] = useState<ReadonlySet<string> | null>(null)
  const [act, setAct] = useState<Act | 'claim' | null>(null)
  const mayClaim = usePermission('createClaim') && props.isInvoice
  const total = props.total ?? 0
  if (selected.size === 0) return null
  const isAll = all === selected
  const count = isAll ? total : selected.size
  return (
    <Group className="no-print" gap="xs" mt="xs" role="region" aria-label={t('selection')}>
      <Text size="sm" fw={600} role="status">
        {t('selected', { count, formatted: formatNumber(count) })}
      </Text>
      {!isAll && selected.size < total && (
        <Button variant="default" onClick={() => setAll(selected)}>
          {t('selectAll', { count: total, formatted: formatNumber(total) })}
        </Button>
      )}
      {acts.map((name) => (
        <Button key={name} variant="default" onClick={() => setAct(name)}>
          {t(`act.${name}`)}
        </Button>
      ))}
      {mayClaim && <Button onClick={() => setAct('claim')}>{t('act.claim')}</Button>}
      <CloseButton ms="auto" aria-label={t('clearSelection')} onClick={onClear} />
      {act === 'claim' && (
        <ClaimDialog id={id} filter={filter} selected={isAll ? null : selected} onClose={() => setAct(null)} />
      )}
      {act !== null && act !== 'claim' && (
        <ChangeDialog
          id={id}
          which={isAll ? { filter } : { 'discrepancy-ids': [...selected] }}
          count={count}
          act={act}
          onDone={onClear}
          onClose={() => setAct(null)}
        />
      )}
    </Group>
  )
}
