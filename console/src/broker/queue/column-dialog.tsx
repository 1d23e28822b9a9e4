import { Button, Checkbox, Group, Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../../components/dialog.tsx'
import { useColumnChoice } from './column-choice.ts'
import { type ColumnId, columnIds } from './queue-columns.tsx'

/** Chooses which columns the queue has; the name is always there. */
export default function ColumnDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation('queue')
  const { choice, show, reset } = useColumnChoice()
  const chosen = columnIds.filter((id) => !choice.hidden.includes(id))
  return (
    <Dialog title={t('columnChoice.title')} size="xs" onClose={onClose}>
      <Checkbox.Group value={[...chosen]} onChange={(ids) => show(['name' satisfies ColumnId, ...ids])}>
        <Stack gap="xs">
          {columnIds
            .filter((id) => id !== 'name')
            .map((id) => (
              <Checkbox key={id} size="sm" value={id} label={t(`columns.${id}`)} />
            ))}
        </Stack>
      </Checkbox.Group>
      <Group mt="md">
        <Button variant="default" onClick={reset}>
          {t('columnChoice.reset')}
        </Button>
      </Group>
    </Dialog>
  )
}
