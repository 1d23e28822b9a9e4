import { ActionIcon, Button, Group, Menu, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Value } from '../../components/value.tsx'
import { focusFirst } from '../../decisions/focus-first.ts'
import { parseQueueSearch, type QueueSearch } from './queue-search.ts'

interface SavedFilter {
  readonly name: string
  readonly search: QueueSearch
}

/** What may be stored: a search text is mostly a name or a CPF. */
function storable({ q: _q, 'member-id': _member, ...filters }: QueueSearch): QueueSearch {
  return filters
}

/** What the browser has stored, or another version of the console. */
function parseSaved(text: string | undefined): readonly SavedFilter[] {
  try {
    const value: unknown = JSON.parse(text ?? '[]')
    if (!Array.isArray(value)) return []
    return value.flatMap((one: { readonly name?: unknown; readonly search?: Record<string, unknown> } | null) =>
      typeof one?.name === 'string' ? [{ name: one.name, search: storable(parseQueueSearch(one.search ?? {})) }] : [],
    )
  } catch {
    return []
  }
}

/** Filters with a name, stored in this browser. */
export function SavedFilters(props: {
  readonly search: QueueSearch
  readonly onChoose: (search: QueueSearch) => void
}) {
  const { t } = useTranslation(['queue', 'states'])
  const [saved, setSaved] = useLocalStorage<readonly SavedFilter[]>({
    key: 'vigencia-queue-filters',
    defaultValue: [],
    getInitialValueInEffect: false,
    deserialize: parseSaved,
  })
  const [isNaming, setIsNaming] = useState(false)
  const close = () => setIsNaming(false)
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" size="xs">
            {t('queue:saved.title')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {saved.map(({ name, search }) => (
            <Group key={name} wrap="nowrap" gap={4}>
              <Menu.Item onClick={() => props.onChoose(search)}>
                <Value>{name}</Value>
              </Menu.Item>
              <ActionIcon
                variant="subtle"
                color="gray"
                size="sm"
                aria-label={t('queue:saved.remove', { name })}
                onClick={() => setSaved(saved.filter((one) => one.name !== name))}
              >
                <Value>×</Value>
              </ActionIcon>
            </Group>
          ))}
          {saved.length === 0 && <Menu.Label>{t('queue:saved.none')}</Menu.Label>}
          <Menu.Divider />
          <Menu.Item onClick={() => setIsNaming(true)}>{t('queue:saved.save')}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Modal
        opened={isNaming}
        onClose={close}
        title={t('queue:saved.save')}
        closeButtonProps={{ 'aria-label': t('states:close') }}
      >
        <form
          ref={focusFirst}
          onSubmit={(event) => {
            event.preventDefault()
            const name = new FormData(event.currentTarget).get('name')
            if (typeof name !== 'string' || name.trim() === '') return
            const others = saved.filter((one) => one.name !== name.trim())
            setSaved([...others, { name: name.trim(), search: storable(props.search) }])
            close()
          }}
        >
          <Stack>
            <Text size="sm">{t('queue:saved.hint')}</Text>
            <TextInput name="name" label={t('queue:saved.name')} required maxLength={60} data-autofocus />
            <Group justify="flex-end">
              <Button variant="default" onClick={close}>
                {t('states:cancel')}
              </Button>
              <Button type="submit">{t('states:save')}</Button>
            </Group>
          </Stack>
        </form>
      </Modal>
    </>
  )
}
