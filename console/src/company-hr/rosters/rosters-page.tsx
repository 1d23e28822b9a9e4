import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { ButtonLink, TextLink } from '../../components/link.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { companyApi } from '../../entities/company-hr/client.ts'
import { OfCompany } from '../../entities/company-hr/of-company.tsx'
import { useListColumns } from '../../entities/rosters/list-columns.tsx'
import { formatTimestamp } from '../../format/date.ts'
import { listTable } from '../../lists/list-page.tsx'

const Table = listTable('listRosterSyncs')

/** The lists of who should be covered that the company sent, newest first. */
export function RostersPage() {
  const { t } = useTranslation('rosters')
  const { sent, others } = useListColumns((sync) => (
    <TextLink to="/hr/rosters/$rosterSyncId" params={{ rosterSyncId: sync['roster-sync-id'] }} translate="no">
      {formatTimestamp(sync['created-at'])}
    </TextLink>
  ))
  return (
    <>
      <PageHeader title={t('title')}>
        <ButtonLink to="/hr/rosters/new">{t('newList')}</ButtonLink>
      </PageHeader>
      <Text size="sm" c="dimmed" mb="sm" maw="80ch">
        {t('help')}
      </Text>
      <OfCompany>
        {(company) => (
          <Table
            label={t('title')}
            query={{ 'company-tax-id': company['tax-id'] }}
            options={{ client: companyApi, refetchInterval: 10_000 }}
            columns={[sent, ...others]}
            idOf={(sync) => sync['roster-sync-id']}
            empty={t('empty')}
          />
        )}
      </OfCompany>
    </>
  )
}
