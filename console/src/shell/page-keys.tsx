import { Kbd, Modal, Stack, Switch, Table, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useHasKeys } from './use-page-keys.ts'

const keys = [
  ['search', '/'],
  ['commands', 'Ctrl K'],
  ['help', '?'],
  ['leave', 'Escape'],
] as const

/** The keys of every page, which can be switched off (WCAG 2.1.4). The queue has a list of its own. */
export default function PageKeys({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation(['shell', 'states'])
  const [isEnabled, enable] = useHasKeys()
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('shell:keys.title')}
      closeButtonProps={{ 'aria-label': t('states:close') }}
      transitionProps={{ duration: 0 }}
    >
      <Stack gap="sm">
        <Text size="sm">{t('shell:keys.hint')}</Text>
        <Table verticalSpacing={4}>
          <Table.Tbody>
            {keys.map(([name, key]) => (
              <Table.Tr key={name}>
                <Table.Td w={90}>
                  <Kbd translate="no">{key}</Kbd>
                </Table.Td>
                <Table.Td>{t(`shell:keys.${name}`)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        <Switch
          label={t('shell:keys.enabled')}
          checked={isEnabled}
          onChange={(event) => enable(event.currentTarget.checked)}
        />
      </Stack>
    </Modal>
  )
}
