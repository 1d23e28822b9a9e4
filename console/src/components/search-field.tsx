import { TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useState } from 'react'

const delayMilliseconds = 300

/**
 * A filter that is typed: `onChange` comes when the typing pauses, and only with what is valid.
 * @param props.errorOf why a text is not valid; null when it is.
 */
export function SearchField(props: {
  readonly label: string
  readonly value: string | undefined
  readonly onChange: (value: string | undefined) => void
  readonly errorOf?: (text: string) => string | null
  readonly description?: string
  readonly placeholder?: string
  readonly width?: string
  readonly size?: 'xs'
  /** What cannot be searched for ends the search that was there. */
  readonly clearsInvalid?: boolean
}) {
  const [draft, setDraft] = useState<string | null>(null)
  const text = draft ?? props.value ?? ''
  const errorOf = (value: string) => (value.trim() === '' ? null : (props.errorOf?.(value.trim()) ?? null))
  const change = useDebouncedCallback((value: string) => {
    if (errorOf(value) === null) props.onChange(value.trim() || undefined)
    else if (props.clearsInvalid === true) props.onChange(undefined)
  }, delayMilliseconds)
  return (
    <TextInput
      label={props.label}
      description={props.description}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      placeholder={props.placeholder}
      type="search"
      autoComplete="off"
      {...(props.size === undefined ? {} : { size: props.size })}
      {...(props.width === undefined ? {} : { w: props.width })}
      maw="100%"
      value={text}
      error={errorOf(text)}
      onChange={({ currentTarget: { value } }) => {
        setDraft(value)
        change(value)
      }}
      onBlur={() => {
        change.flush()
        // From now on the address decides, for example when one goes back.
        if (errorOf(text) === null) setDraft(null)
      }}
      onKeyDown={({ key }) => {
        if (key === 'Enter') change.flush()
      }}
    />
  )
}
