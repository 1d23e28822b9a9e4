import '@mantine/spotlight/styles.css'
import { Loader } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { createSpotlight, Spotlight } from '@mantine/spotlight'
import IconSearch from 'icon:search'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { MIN_SEARCH_CHARACTERS } from '../../../src/kernel/search.ts'
import { operationQuery } from '../api/use-operation.ts'
import { isPermitted } from '../session/permissions.ts'
import { type Session, useSession } from '../session/session.ts'
import { FoundObjects } from './found-objects.tsx'
import { FoundRecent } from './found-recent.tsx'
import { useRecentPages } from './recent-pages.ts'
import { FoundPeople, useFoundPeople } from './found-people.tsx'
import { type Command, useCommands } from './use-commands.ts'

const [store, menu] = createSpotlight()

/** The search of everything, and the commands. @param props.request opens it, with each new number. */
export function CommandMenu({ request }: { readonly request: number }) {
  const session = useSession()
  useEffect(() => {
    if (request > 0) menu.open()
  }, [request])
  return session === null ? null : <Menu session={session} />
}

const debounceMilliseconds = 200

/** Lower case, without accents. */
const fold = (text: string) =>
  text
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036F]/g, '')
    .toLowerCase()

/** What Spotlight does when the text changes, for what arrives later: it marks the selected element itself. */
function selectFirst(): void {
  const list = document.getElementById(store.getState().listId)
  list?.querySelector('[data-selected]')?.removeAttribute('data-selected')
  list?.querySelector('[data-action]')?.setAttribute('data-selected', 'true')
  store.updateState((state) => ({ ...state, selected: 0 }))
}

function Menu({ session }: { readonly session: Session }) {
  const { t } = useTranslation(['shell', 'states'])
  const [query, setQuery] = useState('')
  const [q] = useDebouncedValue(query.trim(), debounceMilliseconds)
  const maySearch = isPermitted(session, 'search')
  const isSearch = maySearch && q.length >= MIN_SEARCH_CHARACTERS && query.trim() !== ''
  const search = useQuery({
    ...operationQuery('search', { query: { q } }),
    enabled: isSearch,
    placeholderData: keepPreviousData,
    // What was typed may be a CPF: it is not kept.
    gcTime: 0,
  })
  const items = search.data?.result
  const found = isSearch ? (items ?? []) : []
  const recent = useRecentPages(session)
  const isOfCompanies = isPermitted(session, 'listMembers')
  const people = useFoundPeople(query.trim() === '' ? '' : q, isOfCompanies)
  const { goTo, act } = useCommands(session)
  const matching = (commands: readonly Command[]) =>
    commands.filter(({ label }) => fold(label).includes(fold(query.trim())))
  const groups = [
    { name: 'goTo', commands: matching(goTo) },
    { name: 'act', commands: matching(act) },
  ] as const
  // The first of what is shown is what Enter opens.
  useEffect(() => {
    if (query !== '' || items !== undefined || people.length > 0) selectFirst()
  }, [items, people, query])
  const isEmpty = found.length === 0 && people.length === 0 && groups.every(({ commands }) => commands.length === 0)
  const isWaiting = query.trim() !== q || (isSearch && search.isFetching)
  return (
    <Spotlight.Root
      store={store}
      query={query}
      onQueryChange={setQuery}
      shortcut={null}
      scrollable
      maxHeight="min(28rem, 70vh)"
      transitionProps={{ duration: 0 }}
      overlayProps={{ blur: 0 }}
      attributes={{ content: { 'aria-label': t('shell:commands.title') } }}
    >
      <Spotlight.Search
        size="md"
        aria-label={t('shell:commands.title')}
        placeholder={t(
          `shell:commands.${maySearch ? 'placeholder' : isOfCompanies ? 'placeholderOfCompanies' : 'title'}`,
        )}
        leftSection={<IconSearch size={18} stroke={1.6} aria-hidden />}
        rightSection={isWaiting && <Loader size="xs" aria-hidden />}
      />
      <Spotlight.ActionsList>
        {query.trim() === '' && <FoundRecent pages={recent} />}
        <FoundObjects found={found} counts={search.data?.counts ?? []} q={q} />
        <FoundPeople people={people} />
        {groups.map(
          ({ name, commands }) =>
            commands.length > 0 && (
              <Spotlight.ActionsGroup key={name} label={t(`shell:commands.${name}`)}>
                {commands.map((command) => (
                  <Spotlight.Action
                    key={command.name}
                    label={command.label}
                    leftSection={<command.icon size={18} stroke={1.6} aria-hidden />}
                    onClick={() => void command.run()}
                  />
                ))}
              </Spotlight.ActionsGroup>
            ),
        )}
        {isEmpty && (
          <Spotlight.Empty role="status">
            {search.error !== null
              ? t('states:connection')
              : t(isWaiting ? 'states:loading' : 'shell:commands.nothing')}
          </Spotlight.Empty>
        )}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  )
}
