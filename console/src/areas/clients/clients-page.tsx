import { useTranslation } from 'react-i18next'
import { PageHeader } from '../../components/data-table.tsx'

export function ClientsPage() {
  const { t } = useTranslation('clients')
  return <PageHeader title={t('title')} />
}
