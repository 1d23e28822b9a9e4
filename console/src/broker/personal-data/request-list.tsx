import { Anchor, Group } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { SUBJECT_REQUEST_KINDS, SUBJECT_REQUEST_STATUSES } from '../../../../src/kernel/operator-enums.ts'
import { usePagedList } from '../../api/use-paged-list.ts'
import { Choice } from '../../components/choice.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { DateValue, TextValue, TimestampValue, Value } from '../../components/value.tsx'
import { formatCpf } from '../../format/tax-id.ts'
import type { ListProps } from './search.ts'
import { SubjectRequestStatusBadge } from './status-badge.tsx'
import type { ListedSubjectRequest } from './subject-request.ts'

const columnsOf = (t: TFunction<['personalData', 'terms']>): readonly Column<ListedSubjectRequest>[] => [
  {
    id: 'person',
    header: t('personalData:person'),
    width: '10rem',
    cell: (one) => (
      <Anchor
        size="sm"
        renderRoot={(props) => (
          <Link
            to="/personal-data/$subjectRequestId"
            params={{ subjectRequestId: one['subject-request-id'] }}
            {...props}
          />
        )}
      >
        {one['tax-id'] === null ? t('personalData:erased') : <Value>{formatCpf(one['tax-id'])}</Value>}
      </Anchor>
    ),
  },
  {
    id: 'kind',
    header: t('personalData:kind'),
    width: '8rem',
    cell: ({ kind }) => t(`terms:subjectRequestKind.${kind}`),
  },
  {
    id: 'status',
    header: t('personalData:status'),
    width: '8rem',
    cell: ({ status }) => <SubjectRequestStatusBadge status={status} />,
  },
  {
    id: 'received',
    header: t('personalData:receivedOn'),
    width: '8rem',
    cell: (one) => <DateValue value={one['received-on']} />,
  },
  { id: 'due', header: t('personalData:dueDate'), width: '8rem', cell: (one) => <DateValue value={one['due-date']} /> },
  {
    id: 'closed',
    header: t('personalData:closedAt'),
    width: '10rem',
    cell: (one) => <TimestampValue value={one['closed-at']} />,
  },
  {
    id: 'note',
    header: t('personalData:note'),
    width: 'minmax(12rem, 1fr)',
    cell: ({ note }) => <TextValue value={note} />,
  },
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
