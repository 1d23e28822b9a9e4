import { type ComboboxRenderPillInput, Pill } from '@mantine/core'
import { Value } from './value.tsx'

/** One of the data of a field with several, which is not translated. */
export const dataPill = ({ value, onRemove, disabled = false }: ComboboxRenderPillInput) => (
  <Pill withRemoveButton={!disabled} onRemove={() => onRemove?.()} disabled={disabled}>
    <Value>{value}</Value>
  </Pill>
)
