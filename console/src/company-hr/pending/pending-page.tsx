import { Stack } from '@mantine/core'
import type { Company, Item } from '@vigencia/client'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { type PagedList, usePagedList } from '../../api/use-paged-list.ts'
import { companyApi } from '../../entities/company-hr/client.ts'
import { OfCompany } from '../../entities/company-hr/of-company.tsx'
import { usePeople } from '../../entities/company-hr/use-people.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { TextLink } from '../../components/link.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Message } from '../../components/state-view.tsx'
import { Value } from '../../components/value.tsx'
import { typeTerm } from '../../format/movement-type.ts'
import { formatCpf } from '../../format/tax-id.ts'
import { text, column, timestamp } from '../../lists/columns.tsx'
import { SectionTitle } from '../../components/section-title.tsx'

type Movement = Item<'listEnrollmentHistory'>

const columnsOf = (t: TFunction<['hr', 'terms']>, nameOf: (taxId: string) => string): readonly Column<Movement>[] => [
  {
    id: 'person',
    header: t('person'),
    width: 'minmax(11rem, 1fr)',
    isPinned: true,
    cell: ({ id, 'member-tax-id': taxId }) => (
      <TextLink to="/hr/pending/$enrollmentId" params={{ enrollmentId: id }}>
        <Value>{nameOf(taxId)}</Value>
      </TextLink>
    ),
  },
  text(
    t('waitsFor'),
    ({ reason, 'pending-items': items }) =>
      items.length > 0 ? items.map(({ message }) => message).join(' · ') : reason,
    'minmax(14rem, 2fr)',
  ),
  column(t('movement'), '8.5rem', (movement) => t(typeTerm(movement['enrollment-type'], movement['alteration-kind']))),
  text(t('product'), 'product-name', 'minmax(12rem, 1fr)'),
  timestamp(t('since'), 'last-updated-at', '8.5rem'),
]

/** What waits for an answer of the company. */
export function PendingPage() {
  const { t } = useTranslation('hr')
  return (
    <>
      <PageHeader title={t('pending')} />
      <OfCompany>{(company) => <Pending company={company} />}</OfCompany>
    </>
  )
}

function Pending({ company }: { readonly company: Company }) {
  const { t } = useTranslation(['hr', 'terms'])
  const documents = usePending(company, 'pending-documents')
  const corrections = usePending(company, 'pending-correction')
  const movements = [...documents.loaded, ...corrections.loaded]
  const people = usePeople(movements.map((movement) => movement['member-tax-id']))
  const nameOf = (taxId: string) => people.get(taxId)?.profile.name ?? formatCpf(taxId)
  if (documents.total === 0 && corrections.total === 0) {
    return <Message title={t('hr:nothingPendingTitle')}>{t('hr:nothingPending')}</Message>
  }
  const lists = [
    ['pending-documents', documents],
    ['pending-correction', corrections],
  ] as const
  return (
    <Stack gap="lg">
      {lists.map(
        ([status, list]) =>
          list.total !== 0 && (
            <section key={status}>
              <SectionTitle>{t(`terms:status.${status}`)}</SectionTitle>
              <DataTable
                label={t(`terms:status.${status}`)}
                unit="movements"
                columns={columnsOf(t, nameOf)}
                list={list}
                idOf={({ id }) => id}
                maxHeight="38vh"
              />
            </section>
          ),
      )}
    </Stack>
  )
}

function usePending(company: Company, status: 'pending-documents' | 'pending-correction'): PagedList<Movement> {
  const query = { 'company-tax-id': company['tax-id'], status }
  return usePagedList('listEnrollmentHistory', query, { client: companyApi, refetchInterval: 60_000 })
}
