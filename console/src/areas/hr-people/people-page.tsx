import type { Item } from '@vigencia/client'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { usePagedList } from '../../api/use-paged-list.ts'
import { companyApi } from '../../company-hr/client.ts'
import { OfCompany } from '../../company-hr/of-company.tsx'
import { type Column, DataTable, PageHeader } from '../../components/data-table.tsx'
import { CpfValue, TextValue, Value } from '../../components/value.tsx'

type Member = Item<'listMembers'>

const columnsOf = (t: TFunction<'hr'>): readonly Column<Member>[] => [
  {
    id: 'name',
    header: t('name'),
    width: 'minmax(14rem, 1fr)',
    cell: ({ profile }) => <TextValue value={profile.name} />,
  },
  { id: 'tax-id', header: t('cpf'), width: '9rem', cell: ({ profile }) => <CpfValue value={profile['tax-id']} /> },
  {
    id: 'benefits',
    header: t('benefits'),
    width: 'minmax(12rem, 1fr)',
    cell: ({ benefits }) => <Value>{benefits.map((benefit) => benefit['product-name']).join(', ')}</Value>,
  },
]

/** The people of the company with their benefits. */
export function PeoplePage() {
  const { t } = useTranslation('hr')
  return (
    <>
      <PageHeader title={t('people')} />
      <OfCompany>{() => <People />}</OfCompany>
    </>
  )
}

function People() {
  const { t } = useTranslation('hr')
  const list = usePagedList('listMembers', {}, { client: companyApi })
  return <DataTable label={t('people')} unit="people" columns={columnsOf(t)} list={list} idOf={({ id }) => id} />
}
