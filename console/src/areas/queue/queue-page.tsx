import { useTranslation } from 'react-i18next'
import { PageHeader } from '../../components/data-table.tsx'

export function QueuePage() {
  const { t } = useTranslation('queue')
  return <PageHeader title={t('title')} />
}
