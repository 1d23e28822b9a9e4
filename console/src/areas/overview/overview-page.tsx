import { useTranslation } from 'react-i18next'
import { PageHeader } from '../../components/data-table.tsx'

export function OverviewPage() {
  const { t } = useTranslation('overview')
  return <PageHeader title={t('title')} />
}
