import { useTranslation } from 'react-i18next'
import { PageHeader } from '../../components/data-table.tsx'

export function AuditPage() {
  const { t } = useTranslation('audit')
  return <PageHeader title={t('title')} />
}
