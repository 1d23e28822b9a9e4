import { useTranslation } from 'react-i18next'
import { PageHeader } from '../../components/data-table.tsx'

export function ImportsPage() {
  const { t } = useTranslation('imports')
  return <PageHeader title={t('title')} />
}
