import { useTranslation } from 'react-i18next'
import { PageHeader } from '../../components/data-table.tsx'
import { Empty } from '../../components/state-view.tsx'

/** The spreadsheets that the company sent. */
export function SpreadsheetsPage() {
  const { t } = useTranslation('shell')
  return (
    <>
      <PageHeader title={t('areas.hrSpreadsheets')} />
      <Empty />
    </>
  )
}
