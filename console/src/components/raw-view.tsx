import { Code, ScrollArea } from '@mantine/core'
import { useTranslation } from 'react-i18next'

/** An object as the API sent it, folded. */
export function RawView({ value }: { readonly value: unknown }) {
  const { t } = useTranslation('states')
  return (
    <details className="no-print">
      <summary>{t('rawView')}</summary>
      <ScrollArea tabIndex={0} aria-label={t('rawView')} role="region">
        <Code block translate="no">
          {JSON.stringify(value, null, 2)}
        </Code>
      </ScrollArea>
    </details>
  )
}
