import { Checkbox } from '@mantine/core'
import { useTranslation } from 'react-i18next'

/** Under the check of a file of which dates are far from today: whether they are meant. */
export function ConfirmDates(props: {
  readonly isConfirmed: boolean
  readonly lines: readonly { readonly code?: string }[]
  readonly isDisabled: boolean
  readonly onChange: (isConfirmed: boolean) => void
}) {
  const { t } = useTranslation('queue')
  const { isConfirmed, lines, isDisabled, onChange } = props
  if (!isConfirmed && !lines.some(({ code }) => code === 'date-out-of-range')) return null
  return (
    <Checkbox
      label={t('file.confirmDates')}
      checked={isConfirmed}
      disabled={isDisabled}
      onChange={({ currentTarget: { checked } }) => onChange(checked)}
    />
  )
}
