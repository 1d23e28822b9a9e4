import { useTranslation } from 'react-i18next'
import { PageHeader } from '../../components/data-table.tsx'

export function ClientPage() {
  const { t } = useTranslation('clients')
  return <PageHeader title={t('title')} />
}
