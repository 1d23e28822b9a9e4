import { useTranslation } from 'react-i18next'
import { PageHeader } from '../../components/data-table.tsx'

export function InvoicePage() {
  const { t } = useTranslation('invoices')
  return <PageHeader title={t('title')} />
}
