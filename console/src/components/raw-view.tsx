import { Code, ScrollArea } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useSession } from '../session/session.ts'

/** An object as the API sent it, folded, for administrators. */
export function RawView({ value }: { readonly value: unknown }) {
  const { t } = useTranslation('states')
  const isAdmin = useSession()?.role === 'admin'
  if (!isAdmin) return null
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
