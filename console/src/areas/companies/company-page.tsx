import { useTranslation } from 'react-i18next'
import { PageHeader } from '../../components/data-table.tsx'

export function CompanyPage() {
  const { t } = useTranslation('companies')
  return <PageHeader title={t('title')} />
}
