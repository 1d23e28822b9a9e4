import { Textarea, type TextareaProps } from '@mantine/core'

type Props = Omit<TextareaProps, 'onChange' | 'value'> & {
  readonly value: string
  readonly onChange: (value: string) => void
}

/** A note or a reason: a text of a few lines. */
export const NoteField = ({ onChange, ...props }: Props) => (
  <Textarea size="sm" autosize minRows={2} onChange={({ currentTarget: { value } }) => onChange(value)} {...props} />
)
