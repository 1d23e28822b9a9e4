import { Group } from '@mantine/core'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { SUBJECT_REQUEST_KINDS, SUBJECT_REQUEST_STATUSES } from '../../../../src/kernel/operator-enums.ts'
import { usePagedList } from '../../api/use-paged-list.ts'
import { Choice } from '../../components/choice.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { TextLink } from '../../components/link.tsx'
import { Value } from '../../components/value.tsx'
import { formatCpf } from '../../format/tax-id.ts'
import { column, date, timestamp, text } from '../../lists/columns.tsx'
import type { ListProps } from './search.ts'
import { SubjectRequestStatusBadge } from './status-badge.tsx'
import type { ListedSubjectRequest } from './subject-request.ts'

const columnsOf = (t: TFunction<['personalData', 'terms']>): readonly Column<ListedSubjectRequest>[] => [
  column(t('personalData:person'), '10rem', (one) => (
    <TextLink to="/personal-data/$subjectRequestId" params={{ subjectRequestId: one['subject-request-id'] }}>
      {one['tax-id'] === null ? t('personalData:erased') : <Value>{formatCpf(one['tax-id'])}</Value>}
    </TextLink>
  )),
  column(t('personalData:kind'), '8rem', ({ kind }) => t(`terms:subjectRequestKind.${kind}`)),
  column(t('personalData:status'), '8rem', ({ status }) => <SubjectRequestStatusBadge status={status} />),
  date(t('personalData:receivedOn'), 'received-on', '8rem'),
  date(t('personalData:dueDate'), 'due-date', '8rem'),
  timestamp(t('personalData:closedAt'), 'closed-at', '10rem'),
  text(t('personalData:note'), 'note', 'minmax(12rem, 1fr)'),
]

/** What people ask of their personal data, by due date. */
export function RequestList({ search, onChange }: ListProps) {
  const { t } = useTranslation(['personalData', 'terms', 'states'])
  const { kind, status } = search
  return (
    <>
      <Group mb="md" align="flex-end" gap="sm" role="search" aria-label={t('states:filters')}>
        <Choice
          label={t('personalData:kind')}
          any={t('personalData:any')}
          value={kind}
          onChange={(value) => onChange({ kind: value })}
          data={SUBJECT_REQUEST_KINDS.map((value) => ({ value, label: t(`terms:subjectRequestKind.${value}`) }))}
        />
        <Choice
          label={t('personalData:status')}
          any={t('personalData:any')}
          value={status}
          onChange={(value) => onChange({ status: value })}
          data={SUBJECT_REQUEST_STATUSES.map((value) => ({ value, label: t(`terms:subjectRequestStatus.${value}`) }))}
        />
      </Group>
      <DataTable
        label={t('personalData:views.requests')}
        columns={columnsOf(t)}
        list={usePagedList('listSubjectRequests', search)}
        idOf={(one) => one['subject-request-id']}
        empty={t('personalData:empty')}
      />
    </>
  )
}
