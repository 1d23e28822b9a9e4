import { useTranslation } from 'react-i18next'
import { PageHeader } from '../../components/data-table.tsx'

export function MembersPage() {
  const { t } = useTranslation('members')
  return <PageHeader title={t('title')} />
}
