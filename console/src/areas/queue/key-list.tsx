import { Kbd, Modal, Stack, Switch, Table, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { keys } from './queue-keys.ts'

/** The keys of the queue, which can be switched off (WCAG 2.1.4). */
export function KeyList(props: {
  readonly opened: boolean
  readonly isEnabled: boolean
  readonly onEnable: (isEnabled: boolean) => void
  readonly onClose: () => void
}) {
  const { t } = useTranslation(['queue', 'states'])
  return (
    <Modal
      opened={props.opened}
      onClose={props.onClose}
      title={t('queue:keys.title')}
      closeButtonProps={{ 'aria-label': t('states:close') }}
      transitionProps={{ duration: 0 }}
    >
      <Stack gap="sm">
        <Text size="sm">{t('queue:keys.hint')}</Text>
        <Table verticalSpacing={4}>
          <Table.Tbody>
            {keys.map(([name, key]) => (
              <Table.Tr key={name}>
                <Table.Td w={90}>
                  <Kbd translate="no">{key}</Kbd>
                </Table.Td>
                <Table.Td>{t(`queue:keys.${name}`)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        <Switch
          label={t('queue:keys.enabled')}
          checked={props.isEnabled}
          onChange={(event) => props.onEnable(event.currentTarget.checked)}
        />
      </Stack>
    </Modal>
  )
}
