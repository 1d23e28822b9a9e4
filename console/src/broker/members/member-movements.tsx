import { Group, Text, Title } from '@mantine/core'
import type { Item } from '@vigencia/client'
import { useTranslation } from 'react-i18next'
import { TERMINAL_STATUSES } from '../../../../src/kernel/enums.ts'
import { useOperation } from '../../api/use-operation.ts'
import { TextLink } from '../../components/link.tsx'
import { CompanyLabel } from '../../entities/companies/company-label.tsx'
import { QueryView } from '../../components/state-view.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { TimestampValue } from '../../components/value.tsx'
import { formatNumber } from '../../format/number.ts'
import { typeTerm } from '../../format/movement-type.ts'
import { PlainTable, plain } from '../../components/plain-table.tsx'
import { text, date } from '../../lists/columns.tsx'
import { SectionTitle } from '../../components/section-title.tsx'

type Movement = Item<'listEnrollmentQueue'>

const maxShown = 100

const isTerminal = ({ status }: Movement) => TERMINAL_STATUSES.some((terminal) => terminal === status)

/** The open movements of the person, then the past ones, each newest first. */
export function MemberMovements({ memberId }: { readonly memberId: string }) {
  const { t } = useTranslation('members')
  const query = useOperation('listEnrollmentQueue', { query: { 'member-id': memberId, 'items-per-page': maxShown } })
  return (
    <section>
      <Group justify="space-between" mb="xs">
        <SectionTitle mb={0}>{t('movements')}</SectionTitle>
        {query.data !== undefined && (
          <TextLink to="/queue" search={{ 'member-id': memberId, status: 'all' }}>
            {t('inQueue', {
              count: query.data.pagination['total-items'],
              formatted: formatNumber(query.data.pagination['total-items']),
            })}
          </TextLink>
        )}
      </Group>
      <QueryView query={query}>
        {({ result }) => {
          const newestFirst = result.toReversed()
          return (
            <>
              <MovementTable title={t('open')} movements={newestFirst.filter((movement) => !isTerminal(movement))} />
              <MovementTable title={t('past')} movements={newestFirst.filter(isTerminal)} />
            </>
          )
        }}
      </QueryView>
    </section>
  )
}

function MovementTable({ title, movements }: { readonly title: string; readonly movements: readonly Movement[] }) {
  const { t } = useTranslation(['members', 'terms'])
  return (
    <>
      <Title order={3} size="h5" mt="sm" mb={4}>
        {title}
      </Title>
      {movements.length === 0 ? (
        <Text size="sm">{t('noMovements')}</Text>
      ) : (
        <PlainTable<Movement>
          label={title}
          miw="50rem"
          items={movements}
          idOf={({ id }) => id}
          columns={[
            plain(t('createdAt'), ({ id, 'created-at': at }) => (
              <TextLink to="/queue/$enrollmentId" params={{ enrollmentId: id }}>
                <TimestampValue value={at} />
              </TextLink>
            )),
            plain(t('type'), (movement) => t(typeTerm(movement['enrollment-type'], movement['alteration-kind']))),
            plain(t('status'), ({ status }) => <StatusBadge status={status} />),
            text(t('product'), 'product-name'),
            plain(t('company'), (movement) => (
              <CompanyLabel taxId={movement['company-tax-id']} name={movement['company-name']} />
            )),
            date(t('dueDate'), 'due-date'),
          ]}
        />
      )}
    </>
  )
}
