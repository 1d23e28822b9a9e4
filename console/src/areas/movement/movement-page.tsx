import { useTranslation } from 'react-i18next'
import { PageHeader } from '../../components/data-table.tsx'

export function MovementPage() {
  const { t } = useTranslation('movement')
  return <PageHeader title={t('title')} />
}
