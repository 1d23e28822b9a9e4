import { Alert, Button, CloseButton, Group, Pagination, Stack, Tabs, Text } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { DraftClass } from '../../../../src/kernel/movement-drafts.ts'
import { DRAFT_ITEM_STATUSES } from '../../../../src/kernel/movement-drafts.ts'
import { operationQuery } from '../../api/use-operation.ts'
import { FactList, fact } from '../../components/fact-list.tsx'
import { KeysDialog } from '../../components/keys-dialog.tsx'
import { SectionTitle } from '../../components/section-title.tsx'
import { QueryView } from '../../components/state-view.tsx'
import { DateValue, Value } from '../../components/value.tsx'
import { formatNumber } from '../../format/number.ts'
import { ChoiceFilter, TextFilter, useFilters } from '../../lists/filters.tsx'
import { type DraftItem, type MovementDraft, waitingOf } from '../movement-drafts/draft.ts'
import { DraftStatusBadge } from '../movement-drafts/status-badges.tsx'
import { isConfirmable, openOf, tabsOf } from './classes.ts'
import { useRosterClient } from './client.ts'
import { ConfirmItems, GuardTable, type ToConfirm } from './confirm-items.tsx'
import { DiscardItems, type ToDiscard } from './discard-items.tsx'
import { draftKeys, useDraftKeys } from './draft-keys.ts'
import type { Given } from './given.ts'
import { HeldFilter } from './held-filter.tsx'
import { ItemTable } from './item-table.tsx'
import { ItemValuesDialog } from './item-values-dialog.tsx'
import type { ListLinks } from './links.ts'
import { TabWorkbook } from './tab-workbook.tsx'
import { useItemsSelection } from './use-items-selection.ts'

const pollMilliseconds = 1_500
const itemsPerPage = 50

interface Props {
  readonly id: string
  readonly links: ListLinks
  readonly mayWrite: boolean
}

/** What differs between a list and what is here: what is proposed, what is done about it, and why nothing is. */
export function RosterDraft({ id, links, mayWrite }: Props) {
  const { client, operations } = useRosterClient()
  const draft = useQuery({
    ...operationQuery(operations.draft, { path: [id] }, client),
    refetchInterval: ({ state }) => (state.data?.result.status === 'requesting' ? pollMilliseconds : false),
  })
  return (
    <QueryView query={draft}>
      {({ result }) => <DraftView draft={result} links={links} mayWrite={mayWrite} />}
    </QueryView>
  )
}

function DraftView({ draft, links, mayWrite }: Omit<Props, 'id'> & { readonly draft: MovementDraft }) {
  const { t } = useTranslation(['rosters', 'drafts', 'terms'])
  const { search, change } = useFilters()
  const tabs = tabsOf(draft)
  const tab = tabs.find(({ name }) => name === search.class)?.name ?? tabs[0]?.name
  const [asked, setAsked] = useState<ToDiscard | null>(null)
  const waiting = waitingOf(draft)
  const because = draft['closed-because']
  const leaving = draft.guard.filter((product) => product.leaving > 0)
  return (
    <Stack gap="sm" component="section" aria-label={t('rosters:draft')}>
      <Group justify="space-between">
        <SectionTitle mb={0}>{t('rosters:draft')}</SectionTitle>
        {mayWrite && waiting > 0 && (
          <Button variant="default" size="xs" onClick={() => setAsked({ items: null, name: null, count: waiting })}>
            {t('drafts:act.discard')}
          </Button>
        )}
      </Group>
      {draft['broken-reason'] !== null && <Alert color="orange">{t('drafts:broken')}</Alert>}
      <FactList
        facts={[
          fact(t('drafts:status'), <DraftStatusBadge status={draft.status} />),
          because !== null &&
            (because !== 'done' || isDecided(draft)) &&
            fact(t('drafts:outcome'), t(`terms:draftClosedBecause.${because}`)),
          fact(t('drafts:waiting'), <Value>{formatNumber(waiting)}</Value>),
          draft.status !== 'closed' && fact(t('drafts:expiresOn'), <DateValue value={draft['expires-on']} />),
          draft['request-ids'].length > 0 &&
            fact(
              t('rosters:requests'),
              <Group gap="sm">{draft['request-ids'].map((id, index) => links.request(id, index + 1))}</Group>,
            ),
        ]}
      />
      {leaving.length > 0 && <GuardTable products={leaving} />}
      <Tabs
        value={tab ?? null}
        keepMounted={false}
        onChange={(next) =>
          change({
            class: tabs.find(({ name }) => name === next)?.name,
            explanation: undefined,
            'item-status': undefined,
          })
        }
      >
        <Tabs.List aria-label={t('rosters:classes')}>
          {tabs.map(({ name, size }) => (
            <Tabs.Tab key={name} value={name}>
              {t(`terms:draftClass.${name}`)} <Value>({formatNumber(size)})</Value>
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {tabs.map(({ name }) => (
          <Tabs.Panel key={name} value={name} pt="sm">
            <ClassTab draft={draft} name={name} links={links} mayWrite={mayWrite && draft.status !== 'closed'} />
          </Tabs.Panel>
        ))}
      </Tabs>
      {asked !== null && (
        <DiscardItems draftId={draft['draft-id']} asked={asked} onDone={() => {}} onClose={() => setAsked(null)} />
      )}
    </Stack>
  )
}

/** Whether anything of it was decided: a draft of which nothing could be is closed at once. */
const isDecided = ({ counts }: MovementDraft) => counts.some(({ requested, discarded }) => requested + discarded > 0)

type Asked =
  | { readonly act: 'confirm'; readonly what: ToConfirm }
  | { readonly act: 'discard'; readonly what: ToDiscard }
  | { readonly act: 'fill'; readonly item: DraftItem }
  | { readonly act: 'keys' }

/** The items of a class, and what can be done with them. */
function ClassTab(props: Omit<Props, 'id'> & { readonly draft: MovementDraft; readonly name: DraftClass }) {
  const { t } = useTranslation(['rosters', 'drafts', 'terms'])
  const { draft, name, links, mayWrite } = props
  const { isBroker, client, operations } = useRosterClient()
  const { search, change } = useFilters()
  const draftId = draft['draft-id']
  const query = {
    class: name,
    ...(search.q !== undefined && { q: search.q }),
    ...(search['item-status'] !== undefined && { status: search['item-status'] }),
    ...(name === 'held' && search.explanation !== undefined && { explanation: search.explanation }),
  }
  const key = JSON.stringify(query)
  const [place, setPlace] = useState({ key, page: 1, active: null as number | null })
  const { page, active } = place.key === key ? place : { page: 1, active: null }
  const items = useQuery({
    ...operationQuery(
      operations.items,
      { path: [draftId], query: { ...query, page, 'items-per-page': itemsPerPage } },
      client,
    ),
    placeholderData: keepPreviousData,
  })
  const shown = items.data?.result ?? []
  const selection = useItemsSelection(key, shown)
  const [given, setGiven] = useState<Given>(new Map())
  const [asked, setAsked] = useState<Asked | null>(null)
  const [hasKeys, setHasKeys] = useLocalStorage({ key: 'vigencia-queue-keys', defaultValue: true })
  const close = () => setAsked(null)
  const open = openOf(draft, name, isBroker)
  const canDecide = mayWrite && openOf(draft, name, true) > 0
  const chosen =
    selection.selected.size > 0
      ? [...selection.selected.values()]
      : shown.slice(active ?? -1).slice(0, active === null ? 0 : 1)
  const confirmable = chosen.filter((item) => isConfirmable(item, isBroker))
  const waiting = chosen.filter((item) => isConfirmable(item, true))
  const askConfirm = () => {
    if (confirmable.length > 0) {
      setAsked({ act: 'confirm', what: { name, items: confirmable, count: confirmable.length } })
    }
  }
  const askDiscard = () => {
    if (waiting.length > 0) setAsked({ act: 'discard', what: { name, items: waiting, count: waiting.length } })
  }
  const move = (by: number) => {
    const next = Math.min(Math.max((active ?? -1) + by, 0), shown.length - 1)
    setPlace({ key, page, active: next })
    const number = shown[next]?.number
    document.querySelector(`.roster-items [data-number="${number}"]`)?.scrollIntoView({ block: 'nearest' })
  }
  const activeItem = active === null ? undefined : shown[active]
  useDraftKeys(
    {
      next: () => move(1),
      previous: () => move(-1),
      select: (isRange) => {
        if (canDecide && activeItem !== undefined) selection.toggle(activeItem, isRange)
      },
      confirm: () => canDecide && askConfirm(),
      discard: () => canDecide && askDiscard(),
      fill: () => {
        if (
          canDecide &&
          activeItem !== undefined &&
          isConfirmable(activeItem, isBroker) &&
          activeItem.movement !== null
        ) {
          setAsked({ act: 'fill', item: activeItem })
        }
      },
      help: () => setAsked({ act: 'keys' }),
      leave: selection.clear,
    },
    hasKeys,
  )
  const total = items.data?.pagination['total-items'] ?? 0
  const pages = Math.ceil(total / itemsPerPage)
  const isWhole = name !== 'tax-id-correction'
  const statuses = DRAFT_ITEM_STATUSES.filter(
    (status) => (draft.counts.find((one) => one.class === name)?.[status] ?? 0) > 0,
  )
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        {t(`rosters:about.${name}`)}
      </Text>
      {name === 'held' && (
        <HeldFilter draftId={draftId} chosen={search.explanation} onChoose={(explanation) => change({ explanation })} />
      )}
      <Group align="flex-end" gap="sm">
        <TextFilter name="q" label={t('rosters:search')} />
        {statuses.length > 1 && (
          <ChoiceFilter
            name="item-status"
            label={t('drafts:status')}
            any={t('drafts:any')}
            data={statuses.map((value) => ({ value, label: t(`terms:draftItemStatus.${value}`) }))}
          />
        )}
        {canDecide && isWhole && open > 0 && (
          <Button onClick={() => setAsked({ act: 'confirm', what: { name, items: null, count: open } })}>
            {t('rosters:confirmAll', { count: open, formatted: formatNumber(open) })}
          </Button>
        )}
        {canDecide && isWhole && (
          <Button
            variant="default"
            onClick={() => setAsked({ act: 'discard', what: { name, items: null, count: openOf(draft, name, true) } })}
          >
            {t('rosters:discardAll')}
          </Button>
        )}
        <Group gap="xs" ms="auto">
          {mayWrite && <TabWorkbook draft={draft} query={query} name={t(`terms:draftClass.${name}`)} />}
          <Button size="xs" variant="default" onClick={() => setAsked({ act: 'keys' })}>
            {t('rosters:keys.title')}
          </Button>
        </Group>
      </Group>
      {selection.selected.size > 0 && (
        <Group className="roster-selection no-print" gap="xs" role="region" aria-label={t('rosters:selection')}>
          <Text size="sm" fw={600} role="status">
            {t('rosters:selected', {
              count: selection.selected.size,
              formatted: formatNumber(selection.selected.size),
            })}
          </Text>
          <Button size="xs" disabled={confirmable.length === 0} onClick={askConfirm}>
            {t('drafts:actOne.confirm')}
          </Button>
          <Button size="xs" variant="default" onClick={askDiscard}>
            {t('drafts:actOne.discard')}
          </Button>
          <CloseButton ms="auto" aria-label={t('rosters:clearSelection')} onClick={selection.clear} />
        </Group>
      )}
      <QueryView query={items}>
        {({ result }) =>
          result.length === 0 ? (
            <Text role="status">{t('rosters:noItems')}</Text>
          ) : (
            <ItemTable
              label={t(`terms:draftClass.${name}`)}
              items={result}
              active={active}
              onActivate={(index) => setPlace({ key, page, active: index })}
              selection={canDecide ? selection : null}
              given={given}
              onFill={(item) => setAsked({ act: 'fill', item })}
              person={links.person}
            />
          )
        }
      </QueryView>
      {pages > 1 && (
        <Pagination
          total={pages}
          value={page}
          onChange={(next) => setPlace({ key, page: next, active: null })}
          getControlProps={(control) => ({ 'aria-label': t(`drafts:control.${control}`) })}
          getItemProps={(number) => ({ 'aria-label': t('drafts:pageNumber', { number }) })}
        />
      )}
      {asked?.act === 'confirm' && (
        <ConfirmItems draftId={draftId} asked={asked.what} given={given} onDone={selection.clear} onClose={close} />
      )}
      {asked?.act === 'discard' && (
        <DiscardItems draftId={draftId} asked={asked.what} onDone={selection.clear} onClose={close} />
      )}
      {asked?.act === 'fill' && (
        <ItemValuesDialog
          item={asked.item}
          values={given.get(asked.item.number) ?? {}}
          onSave={(values) => setGiven((former) => new Map(former).set(asked.item.number, values))}
          onClose={close}
        />
      )}
      {asked?.act === 'keys' && (
        <KeysDialog
          opened
          title={t('rosters:keys.title')}
          hint={t('rosters:keys.hint')}
          keys={draftKeys.map(([action, shortcut]) => ({ key: shortcut, label: t(`rosters:keys.${action}`) }))}
          enableLabel={t('rosters:keys.enabled')}
          isEnabled={hasKeys}
          onEnable={setHasKeys}
          onClose={close}
        />
      )}
    </Stack>
  )
}
