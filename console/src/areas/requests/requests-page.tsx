import { useTranslation } from 'react-i18next'
import { PageHeader } from '../../components/data-table.tsx'

export function RequestsPage() {
  const { t } = useTranslation('request')
  return <PageHeader title={t('title')} />
}
