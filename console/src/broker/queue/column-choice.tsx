import { Button, Checkbox, Popover, Stack } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../session/session.ts'
import { type ColumnId, columnIds } from './queue-columns.tsx'

/** What a person has chosen of the columns: those that are not shown, and widths in pixels. */
interface ColumnChoice {
  readonly hidden: readonly string[]
  readonly widths: Readonly<Record<string, number>>
}

const none: ColumnChoice = { hidden: [], widths: {} }

/** What the browser has stored, or another version of the console. */
function parseChoice(text: string | undefined): ColumnChoice {
  try {
    const value = JSON.parse(text ?? 'null') as Partial<ColumnChoice> | null
    const widths = Object.entries(value?.widths ?? {}).filter(([, width]) => Number.isFinite(width))
    return { hidden: Array.isArray(value?.hidden) ? value.hidden : [], widths: Object.fromEntries(widths) }
  } catch {
    return none
  }
}

/** The columns that the person of the session has chosen in this browser. */
export function useColumnChoice() {
  const me = useSession()?.['client-id'] ?? ''
  const [choice, setChoice] = useLocalStorage<ColumnChoice>({
    key: `vigencia-queue-columns-${me}`,
    defaultValue: none,
    getInitialValueInEffect: false,
    deserialize: parseChoice,
  })
  return {
    choice,
    show: (ids: readonly string[]) => setChoice({ ...choice, hidden: columnIds.filter((id) => !ids.includes(id)) }),
    widen: (id: string, width: number) => setChoice({ ...choice, widths: { ...choice.widths, [id]: width } }),
    reset: () => setChoice(none),
  }
}

/** Chooses which columns the queue has; the name is always there. */
export function ColumnMenu() {
  const { t } = useTranslation('queue')
  const { choice, show, reset } = useColumnChoice()
  const chosen = columnIds.filter((id) => !choice.hidden.includes(id))
  return (
    <Popover position="bottom-end" trapFocus>
      <Popover.Target>
        <Button variant="default" size="xs">
          {t('columnChoice.title')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('columnChoice.title')}>
        <Stack gap="xs">
          <Checkbox.Group value={[...chosen]} onChange={(ids) => show(['name' satisfies ColumnId, ...ids])}>
            <Stack gap={6}>
              {columnIds
                .filter((id) => id !== 'name')
                .map((id) => (
                  <Checkbox key={id} size="xs" value={id} label={t(`columns.${id}`)} />
                ))}
            </Stack>
          </Checkbox.Group>
          <Button variant="default" size="xs" onClick={reset}>
            {t('columnChoice.reset')}
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}
