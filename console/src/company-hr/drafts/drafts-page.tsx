import { useTranslation } from 'react-i18next'
import { companyApi } from '../../entities/company-hr/client.ts'
import { OfCompany } from '../../entities/company-hr/of-company.tsx'
import { TextLink } from '../../components/link.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { sizeOf, waitingOf } from '../../entities/movement-drafts/draft.ts'
import { DraftStatusBadge } from '../../entities/movement-drafts/status-badges.tsx'
import { formatTimestamp } from '../../format/date.ts'
import { column, date, number, side, text } from '../../lists/columns.tsx'
import { listTable } from '../../lists/list-page.tsx'

const Table = listTable('listMovementDrafts')

/** What the company asks its broker for, newest first. */
export function DraftsPage() {
  const { t } = useTranslation('drafts')
  return (
    <>
      <PageHeader title={t('ofBroker')} />
      <OfCompany>
        {(company) => (
          <Table
            label={t('ofBroker')}
            query={{ 'company-tax-id': company['tax-id'], source: 'batch' }}
            options={{ client: companyApi, refetchInterval: 15_000 }}
            columns={[
              column(t('createdAt'), '9rem', (draft) => (
                <TextLink to="/hr/drafts/$draftId" params={{ draftId: draft['draft-id'] }} translate="no">
                  {formatTimestamp(draft['created-at'])}
                </TextLink>
              )),
              number(t('people'), sizeOf, '6rem'),
              number(t('waiting'), waitingOf, '8rem'),
              side(t('status'), '9rem', ({ status }) => <DraftStatusBadge status={status} />),
              text(t('createdBy'), 'created-by'),
              text(t('reference'), 'reference'),
              date(t('expiresOn'), 'expires-on'),
            ]}
            idOf={(draft) => draft['draft-id']}
            empty={t('empty')}
          />
        )}
      </OfCompany>
    </>
  )
}
