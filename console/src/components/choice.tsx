import { type ComboboxData, Select } from '@mantine/core'

/** One of a closed set of values. @param props.any what it is called when none is chosen; without it one always is. */
export function Choice<Value extends string>(props: {
  readonly label: string
  /** The label stands in a heading already. */
  readonly isLabelHidden?: boolean
  readonly value: Value | undefined
  readonly onChange: (value: Value | undefined) => void
  readonly data: ComboboxData
  readonly any?: string
  /** The options are data, such as names, and are not translated. */
  readonly isData?: boolean
  readonly disabled?: boolean
}) {
  const { label, any } = props
  const clear = { clearable: true, clearButtonProps: { 'aria-label': `${label}: ${any}` } }
  return (
    <Select
      {...(props.isLabelHidden ? { 'aria-label': label, flex: 1 } : { label })}
      {...(any === undefined ? { allowDeselect: false } : { ...clear, placeholder: any, searchable: true })}
      {...(props.isData ? { attributes: { option: { translate: 'no' as const } } } : {})}
      disabled={props.disabled ?? false}
      data={props.data}
      value={props.value ?? null}
      onChange={(value) => props.onChange((value as Value | null) ?? undefined)}
    />
  )
}
