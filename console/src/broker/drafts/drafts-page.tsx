import { useTranslation } from 'react-i18next'
import { DRAFT_APPROVALS, DRAFT_SOURCES, DRAFT_STATUSES } from '../../../../src/kernel/movement-drafts.ts'
import { TextLink } from '../../components/link.tsx'
import { formatTimestamp } from '../../format/date.ts'
import { sizeOf, waitingOf } from '../../entities/movement-drafts/draft.ts'
import { DraftStatusBadge } from '../../entities/movement-drafts/status-badges.tsx'
import { column, date, number, side, text } from '../../lists/columns.tsx'
import { ChoiceFilter, CompanyFilter, Filters } from '../../lists/filters.tsx'
import { listPage } from '../../lists/list-page.tsx'

const List = listPage('listAllMovementDrafts')

/** What companies ask the broker for, and exclusions that a second operator has to confirm. */
export function DraftsPage() {
  const { t } = useTranslation(['drafts', 'terms'])
  return (
    <List
      title={t('drafts:title')}
      filters={<Above />}
      columns={[
        column(t('drafts:createdAt'), '9rem', (draft) => (
          <TextLink to="/drafts/$draftId" params={{ draftId: draft['draft-id'] }} translate="no">
            {formatTimestamp(draft['created-at'])}
          </TextLink>
        )),
        text(t('drafts:company'), 'company-name'),
        column(t('drafts:movement'), '8rem', ({ movement }) =>
          t(movement === null ? 'drafts:source.roster-sync' : `terms:type.${movement}`),
        ),
        number(t('drafts:people'), sizeOf, '6rem'),
        number(t('drafts:waiting'), waitingOf, '8rem'),
        side(t('drafts:status'), '9rem', ({ status }) => <DraftStatusBadge status={status} />),
        column(t('drafts:approval'), '9rem', ({ approval }) =>
          approval === null ? null : t(`terms:draftApproval.${approval}`),
        ),
        date(t('drafts:expiresOn'), 'expires-on'),
      ]}
      idOf={(draft) => draft['draft-id']}
      empty={t('drafts:empty')}
    />
  )
}

function Above() {
  const { t } = useTranslation(['drafts', 'terms'])
  const any = t('drafts:any')
  return (
    <Filters>
      <CompanyFilter label={t('drafts:company')} />
      <ChoiceFilter
        name="source"
        label={t('drafts:movement')}
        any={any}
        data={DRAFT_SOURCES.map((value) => ({ value, label: t(`drafts:source.${value}`) }))}
      />
      <ChoiceFilter
        name="status"
        label={t('drafts:status')}
        any={any}
        data={DRAFT_STATUSES.map((value) => ({ value, label: t(`terms:draftStatus.${value}`) }))}
      />
      <ChoiceFilter
        name="approval"
        label={t('drafts:approval')}
        any={any}
        data={DRAFT_APPROVALS.map((value) => ({ value, label: t(`terms:draftApproval.${value}`) }))}
      />
    </Filters>
  )
}
