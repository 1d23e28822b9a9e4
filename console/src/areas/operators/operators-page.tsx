import { useTranslation } from 'react-i18next'
import { PageHeader } from '../../components/data-table.tsx'

export function OperatorsPage() {
  const { t } = useTranslation('operators')
  return <PageHeader title={t('title')} />
}
