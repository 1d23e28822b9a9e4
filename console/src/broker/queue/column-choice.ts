import { useLocalStorage } from '@mantine/hooks'
import { useSession } from '../../session/session.ts'
import { columnIds } from './queue-columns.tsx'

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
