import { Group, Switch } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { Company, Item } from '@vigencia/client'
import { useTranslation } from 'react-i18next'
import { usePagedList } from '../../api/use-paged-list.ts'
import { DataTable } from '../../components/data-table.tsx'
import { TextLink } from '../../components/link.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { Value } from '../../components/value.tsx'
import { companyApi } from '../../entities/company-hr/client.ts'
import { OfCompany } from '../../entities/company-hr/of-company.tsx'
import { usePeople } from '../../entities/company-hr/use-people.ts'
import { formatMonth } from '../../format/month.ts'
import { typeTerm } from '../../format/movement-type.ts'
import { formatCpf } from '../../format/tax-id.ts'
import { MOVEMENT_KINDS } from '../../../../src/kernel/enums.ts'
import { column, date, text, timestamp } from '../../lists/columns.tsx'
import { ChoiceFilter } from '../../lists/filters.tsx'

type Movement = Item<'listEnrollmentHistory'>

const route = getRouteApi('/shell/hr/movements')

/** The movements of the company: of a month, of a type, or those that are under way. */
export function MovementsPage() {
  const { t } = useTranslation('hrHome')
  const { 'effective-month': month } = route.useSearch()
  return (
    <>
      <PageHeader title={month === undefined ? t('movements') : t('movementsOf', { month: formatMonth(month) })} />
      <OfCompany>{(company) => <Movements company={company} />}</OfCompany>
    </>
  )
}

function Movements({ company }: { readonly company: Company }) {
  const { t } = useTranslation(['hr', 'hrHome', 'terms', 'request'])
  const search = route.useSearch()
  const list = usePagedList(
    'listEnrollmentHistory',
    { ...search, 'company-tax-id': company['tax-id'] },
    { client: companyApi },
  )
  const people = usePeople(list.loaded.map((movement) => movement['member-tax-id']))
  return (
    <>
      <Filters />
      <DataTable<Movement>
        label={t('hrHome:movements')}
        unit="movements"
        list={list}
        idOf={({ id }) => id}
        columns={[
          {
            ...column(t('hr:person'), 'minmax(11rem, 1fr)', ({ id, 'member-tax-id': taxId }) => (
              <TextLink to="/hr/pending/$enrollmentId" params={{ enrollmentId: id }}>
                <Value>{people.get(taxId)?.profile.name ?? formatCpf(taxId)}</Value>
              </TextLink>
            )),
            isPinned: true,
          },
          column(t('hr:movement'), '8.5rem', (one) => t(typeTerm(one['enrollment-type'], one['alteration-kind']))),
          text(t('hr:product'), 'product-name', 'minmax(12rem, 1fr)'),
          column(t('hr:status'), '11rem', ({ status }) => <StatusBadge status={status} />),
          date(t('hrHome:from'), (movement) => movement['start-date'] ?? movement['end-date'], '8rem'),
          timestamp(t('request:createdAt'), 'created-at'),
        ]}
      />
    </>
  )
}

function Filters() {
  const { t } = useTranslation(['hrHome', 'states', 'terms', 'request'])
  const search = route.useSearch()
  const navigate = route.useNavigate()
  return (
    <Group align="flex-start" mb="md" gap="sm" role="search" className="filters" aria-label={t('states:filters')}>
      <ChoiceFilter
        name="enrollment-type"
        label={t('request:type')}
        any={t('hrHome:anyType')}
        data={MOVEMENT_KINDS.map((value) => ({ value, label: t(`terms:type.${value}`) }))}
      />
      <Switch
        mt={{ base: 0, sm: 26 }}
        label={t('hrHome:onlyOpen')}
        checked={search.open ?? false}
        onChange={({ currentTarget: { checked } }) => {
          const { open: _open, ...others } = search
          void navigate({ search: checked ? { ...others, open: true } : others, replace: true })
        }}
      />
    </Group>
  )
}
