import { Group } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { SUBJECT_REQUEST_KINDS, SUBJECT_REQUEST_STATUSES } from '../../../../src/kernel/broker-enums.ts'
import { TextLink } from '../../components/link.tsx'
import { Value } from '../../components/value.tsx'
import { formatCpf } from '../../format/tax-id.ts'
import { column, date, due, side, text, timestamp } from '../../lists/columns.tsx'
import { SubjectRequestStatusBadge } from './status-badge.tsx'
import { listTable } from '../../lists/list-page.tsx'
import { ChoiceFilter, useFilters } from '../../lists/filters.tsx'

const Table = listTable('listSubjectRequests')

/** What people ask of their personal data, by due date. */
export function RequestList() {
  const { t } = useTranslation(['personalData', 'terms', 'states'])
  return (
    <>
      <Group mb="md" align="flex-end" gap="sm" role="search" aria-label={t('states:filters')}>
        <ChoiceFilter
          name="kind"
          label={t('personalData:kind')}
          any={t('personalData:any')}
          data={SUBJECT_REQUEST_KINDS.map((value) => ({ value, label: t(`terms:subjectRequestKind.${value}`) }))}
        />
        <ChoiceFilter
          name="status"
          label={t('personalData:status')}
          any={t('personalData:any')}
          data={SUBJECT_REQUEST_STATUSES.map((value) => ({ value, label: t(`terms:subjectRequestStatus.${value}`) }))}
        />
      </Group>
      <Table
        label={t('personalData:views.requests')}
        query={useFilters().search}
        columns={[
          column(t('personalData:person'), '10rem', (one) => (
            <TextLink to="/personal-data/$subjectRequestId" params={{ subjectRequestId: one['subject-request-id'] }}>
              {one['tax-id'] === null ? t('personalData:erased') : <Value>{formatCpf(one['tax-id'])}</Value>}
            </TextLink>
          )),
          column(t('personalData:kind'), '8rem', ({ kind }) => t(`terms:subjectRequestKind.${kind}`)),
          side(t('personalData:status'), '8rem', ({ status }) => <SubjectRequestStatusBadge status={status} />),
          date(t('personalData:receivedOn'), 'received-on', '8rem'),
          due(t('personalData:dueDate'), 'due-date', { isOpen: (one) => one['closed-at'] === null }),
          timestamp(t('personalData:closedAt'), 'closed-at', '10rem'),
          text(t('personalData:note'), 'note', 'minmax(12rem, 1fr)'),
        ]}
        idOf={(one) => one['subject-request-id']}
        empty={t('personalData:empty')}
      />
    </>
  )
}
