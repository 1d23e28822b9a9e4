import { Stack, Title } from '@mantine/core'
import type { Company, Item } from '@vigencia/client'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { usePagedList } from '../../api/use-paged-list.ts'
import { companyApi } from '../../company-hr/client.ts'
import { OfCompany } from '../../company-hr/of-company.tsx'
import { type Column, DataTable, PageHeader } from '../../components/data-table.tsx'
import { CpfValue, TextValue } from '../../components/value.tsx'
import { typeTerm } from '../../format/movement-type.ts'

type Movement = Item<'listEnrollmentHistory'>

const columnsOf = (t: TFunction<['hr', 'terms']>): readonly Column<Movement>[] => [
  { id: 'tax-id', header: t('cpf'), width: '9rem', cell: (movement) => <CpfValue value={movement['member-tax-id']} /> },
  {
    id: 'type',
    header: t('movement'),
    width: '8rem',
    cell: (movement) => t(typeTerm(movement['enrollment-type'], movement['alteration-kind'])),
  },
  {
    id: 'product',
    header: t('product'),
    width: '12rem',
    cell: (movement) => <TextValue value={movement['product-name']} />,
  },
  {
    id: 'reason',
    header: t('reason'),
    width: 'minmax(14rem, 1fr)',
    cell: (movement) => <TextValue value={movement.reason} />,
  },
]

const statuses = ['pending-documents', 'pending-correction'] as const

/** What waits for an answer of the company. */
export function PendingPage() {
  const { t } = useTranslation('hr')
  return (
    <>
      <PageHeader title={t('pending')} />
      <OfCompany>
        {(company) => (
          <Stack gap="lg">
            {statuses.map((status) => (
              <Movements key={status} company={company} status={status} />
            ))}
          </Stack>
        )}
      </OfCompany>
    </>
  )
}

function Movements({ company, status }: { readonly company: Company; readonly status: (typeof statuses)[number] }) {
  const { t } = useTranslation(['hr', 'terms'])
  const query = { 'company-tax-id': company['tax-id'], status }
  const list = usePagedList('listEnrollmentHistory', query, { client: companyApi, refetchInterval: 60_000 })
  return (
    <section>
      <Title order={2} size="h4" mb="xs">
        {t(`terms:status.${status}`)}
      </Title>
      <DataTable
        label={t(`terms:status.${status}`)}
        unit="movements"
        columns={columnsOf(t)}
        list={list}
        idOf={({ id }) => id}
      />
    </section>
  )
}
