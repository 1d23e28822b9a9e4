import { CloseButton, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { isSearch } from '../../entities/queue/queue-search.ts'
import { type RefObject, useState } from 'react'
import { useTranslation } from 'react-i18next'

/** A CPF, in any form, or a part of a name. The list follows while one writes. */
export function SearchField({
  input,
  value: stored,
  onChange,
}: {
  readonly input: RefObject<HTMLInputElement | null>
  readonly value: string
  readonly onChange: (value: string) => void
}) {
  const { t } = useTranslation('queue')
  const [draft, setDraft] = useState<string | null>(null)
  const text = draft ?? stored
  const write = useDebouncedCallback((value: string) => {
    onChange(value)
    setDraft(null)
  }, 250)
  const clear = () => {
    write.cancel()
    setDraft(null)
    onChange('')
  }
  return (
    <TextInput
      ref={input}
      className="search"
      size="xs"
      type="search"
      aria-label={t('filters.search')}
      placeholder={t('filters.searchHint')}
      error={text.trim() !== '' && !isSearch(text) ? t('filters.searchShort') : undefined}
      value={text}
      onChange={({ currentTarget: { value } }) => {
        setDraft(value)
        write(value)
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter') write.flush()
        if (event.key !== 'Escape') return
        // The rows that were found stay: browsers empty a search field by Escape.
        event.preventDefault()
        event.stopPropagation()
        event.currentTarget.blur()
      }}
      rightSection={
        text !== '' && (
          <CloseButton size="xs" aria-label={t('filters.clear', { filter: t('filters.search') })} onClick={clear} />
        )
      }
    />
  )
}
