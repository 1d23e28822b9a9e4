import { List } from '@mantine/core'
import { placeOf } from './field-place.ts'
import { Value } from './value.tsx'

/** What is wrong in a body, each with its place. */
export default function ErrorDetails({
  details,
}: {
  readonly details: readonly { field: string; message?: string }[]
}) {
  return (
    <List size="sm">
      {details.map(({ field, message }) => (
        <List.Item key={`${field} ${message}`}>
          <Value>
            {placeOf(field)} {message}
          </Value>
        </List.Item>
      ))}
    </List>
  )
}
