import { Kbd, Stack, Switch, Table, Text } from '@mantine/core'
import { Dialog } from './dialog.tsx'

/** A list of keys, which can be switched off (WCAG 2.1.4). */
export function KeysDialog(props: {
  readonly opened: boolean
  readonly title: string
  readonly hint: string
  readonly keys: readonly { readonly key: string; readonly label: string }[]
  readonly enableLabel: string
  readonly isEnabled: boolean
  readonly onEnable: (isEnabled: boolean) => void
  readonly onClose: () => void
}) {
  return (
    <Dialog opened={props.opened} onClose={props.onClose} title={props.title} transitionProps={{ duration: 0 }}>
      <Stack gap="sm">
        <Text size="sm">{props.hint}</Text>
        <Table verticalSpacing={4}>
          <Table.Tbody>
            {props.keys.map(({ key, label }) => (
              <Table.Tr key={label}>
                <Table.Td w={90}>
                  <Kbd translate="no">{key}</Kbd>
                </Table.Td>
                <Table.Td>{label}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        <Switch
          label={props.enableLabel}
          checked={props.isEnabled}
          onChange={(event) => props.onEnable(event.currentTarget.checked)}
        />
      </Stack>
    </Dialog>
  )
}
