import { Alert, List } from '@mantine/core'
import { Value } from '../../components/value.tsx'

/** What is wrong with a person, where no field of the form shows it. */
export function OtherOffenses({
  offenses,
}: {
  readonly offenses: readonly { readonly field: string; readonly text: string }[]
}) {
  if (offenses.length === 0) return null
  return (
    <Alert color="red" role="alert">
      <List size="sm">
        {offenses.map(({ field, text }) => (
          <List.Item key={`${field} ${text}`}>
            <Value>{text}</Value>
          </List.Item>
        ))}
      </List>
    </Alert>
  )
}
