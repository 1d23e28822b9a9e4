import { Text } from '@mantine/core'
import { useWindowEvent } from '@mantine/hooks'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { Value } from '../../components/value.tsx'
import { formatTimestamp } from '../../format/date.ts'

/** On paper: when the page was printed, and of which movement it is. */
export function PrintNote({ movementId }: { readonly movementId: string }) {
  const { t } = useTranslation('movement')
  const [at, setAt] = useState('')
  // The paper shows what is rendered when this event ends.
  useWindowEvent('beforeprint', () => flushSync(() => setAt(formatTimestamp(new Date().toISOString()))))
  return (
    <Text size="xs" className="print-only">
      {t('printed', { at })} · <Value>{movementId}</Value>
    </Text>
  )
}
