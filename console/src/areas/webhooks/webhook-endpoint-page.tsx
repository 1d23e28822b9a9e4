import { useTranslation } from 'react-i18next'
import { PageHeader } from '../../components/data-table.tsx'

export function WebhookEndpointPage() {
  const { t } = useTranslation('webhooks')
  return <PageHeader title={t('title')} />
}
