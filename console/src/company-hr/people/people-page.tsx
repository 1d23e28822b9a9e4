import { Group, Switch, Text } from '@mantine/core'
import { getRouteApi, useRouterState } from '@tanstack/react-router'
import type { Company, Item } from '@vigencia/client'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { usePagedList } from '../../api/use-paged-list.ts'
import { companyApi, useCompanyOperation } from '../../entities/company-hr/client.ts'
import { useCompany } from '../../entities/company-hr/use-company.ts'
import { WorkbookButton } from '../../components/workbook-button.tsx'
import { formatNumber } from '../../format/number.ts'
import { OfCompany } from '../../entities/company-hr/of-company.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { DateField } from '../../components/date-field.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { TextValue } from '../../components/value.tsx'
import { BenefitStatusBadge } from '../../entities/benefits/benefit-status.tsx'
import { isInForce } from '../../entities/benefits/benefits.ts'
import { TextLink, ButtonLink } from '../../components/link.tsx'
import { column, cpf, side, text } from '../../lists/columns.tsx'
import { cpfOf, isTooShort, type PeopleSearch, peopleSearchOf, queryOf } from './search.ts'
import { roleTerm } from '../../format/movement-type.ts'

type Person = Item<'listMembers'>

const route = getRouteApi('/shell/hr/people')

const columnsOf = (
  t: TFunction<['hr', 'terms']>,
  companyTaxId: string,
  on: string | undefined,
): readonly Column<Person>[] => {
  const shownOf = ({ benefits }: Person) =>
    benefits.filter(
      (benefit) => benefit['company-tax-id'] === companyTaxId && (on === undefined || isInForce(benefit, on)),
    )
  return [
    {
      id: 'name',
      header: t('hr:name'),
      width: 'minmax(12rem, 1fr)',
      isPinned: true,
      cell: ({ id, profile }) => (
        <TextLink to="/hr/people/$memberId" params={{ memberId: id }}>
          <TextValue value={profile.name} />
        </TextLink>
      ),
    },
    cpf(t('hr:cpf'), ({ profile }) => profile['tax-id'], '8rem'),
    column(t('hr:role'), '8rem', (person) => {
      const [benefit] = shownOf(person)
      if (benefit === undefined) return null
      const relation = benefit['dependent-type']
      return t(roleTerm(benefit.type, relation))
    }),
    text(
      t('hr:benefits'),
      (person) => [...new Set(shownOf(person).map((benefit) => benefit['product-name']))].join(', '),
      'minmax(14rem, 1fr)',
    ),
    side(t('hr:status'), '8rem', (person) => {
      const statuses = shownOf(person).map(({ status }) => status)
      const status = (['active', 'pending', 'inactive'] as const).find((one) => statuses.includes(one))
      return status === undefined ? null : <BenefitStatusBadge status={status} />
    }),
  ]
}

/** The people of the company with their benefits. */
export function PeoplePage() {
  const { t } = useTranslation('hr')
  return (
    <>
      <PageHeader title={t('people')}>
        <RosterButton />
        <ButtonLink to="/hr/include">{t('include')}</ButtonLink>
      </PageHeader>
      <OfCompany>{(company) => <People company={company} />}</OfCompany>
    </>
  )
}

function People({ company }: { readonly company: Company }) {
  const { t } = useTranslation(['hr', 'terms'])
  const taxIdSearch = useRouterState({ select: ({ location }) => location.state.taxIdSearch })
  const inAddress = route.useSearch()
  const search = taxIdSearch === undefined ? inAddress : { ...inAddress, q: taxIdSearch }
  const taxId = company['tax-id']
  const covered = usePagedList('listMembers', queryOf(search, taxId), { client: companyApi })
  // After the first requests no one is covered yet: those who are pending are shown.
  const isPlain = Object.keys(search).length === 0
  const isNobodyCovered = isPlain && covered.total === 0
  const everybody = usePagedList('listMembers', queryOf({ all: true }, taxId), {
    client: companyApi,
    enabled: isNobodyCovered,
  })
  const list = isNobodyCovered ? everybody : covered
  return (
    <>
      <Filters search={search} />
      {isNobodyCovered && <UnderWay companyTaxId={taxId} />}
      <DataTable
        label={t('hr:people')}
        unit="people"
        columns={columnsOf(t, taxId, search.on)}
        list={list}
        {...(isPlain ? { empty: t('hr:noPeople') } : {})}
        idOf={({ id }) => id}
      />
    </>
  )
}

/** Saves all who are covered as a workbook. */
function RosterButton() {
  const { t } = useTranslation('hr')
  const { company } = useCompany()
  if (company === null) return null
  const taxId = company['tax-id']
  return (
    <WorkbookButton
      fileName={`${t('rosterName')}-${taxId}`}
      read={(options) => companyApi.companies.roster(taxId, options)}
    >
      {t('roster')}
    </WorkbookButton>
  )
}

/** How many inclusions are to be decided, where nobody is covered yet. */
function UnderWay({ companyTaxId }: { readonly companyTaxId: string }) {
  const { t } = useTranslation('hr')
  const filter = { 'enrollment-type': 'inclusion', open: true } as const
  const query = { ...filter, 'company-tax-id': companyTaxId, page: 1, 'items-per-page': 1 }
  const { data } = useCompanyOperation('listEnrollmentHistory', { query })
  const count = data?.pagination['total-items'] ?? 0
  if (count === 0) return null
  return (
    <Text size="sm" mb="sm" role="status">
      {t('nobodyCovered')}{' '}
      <TextLink to="/hr/movements" search={filter}>
        {t('inclusionsUnderWay', { count, formatted: formatNumber(count) })}
      </TextLink>
    </Text>
  )
}

function Filters({ search }: { readonly search: PeopleSearch }) {
  const { t } = useTranslation(['hr', 'states'])
  const navigate = route.useNavigate()
  const change = (changed: Readonly<Record<string, unknown>>) => {
    const { q, ...others } = peopleSearchOf({ ...search, ...changed })
    // A CPF in the address would be in logs of proxies.
    const isHidden = q !== undefined && cpfOf(q) !== null
    void navigate({
      search: isHidden || q === undefined ? others : { q, ...others },
      state: isHidden ? { taxIdSearch: q } : {},
      replace: true,
    })
  }
  return (
    <Group align="flex-start" mb="md" gap="sm" role="search" className="filters" aria-label={t('states:filters')}>
      <SearchField
        label={t('hr:search')}
        width="20rem"
        value={search.q}
        errorOf={(text) => (isTooShort(text) ? t('hr:tooShort') : null)}
        clearsInvalid
        onChange={(q) => change({ q })}
      />
      <DateField
        label={t('hr:coveredOn')}
        value={search.on ?? null}
        onChange={(on) => change({ on: on ?? undefined })}
      />
      <Switch
        mt={{ base: 0, sm: 26 }}
        label={t('hr:alsoInactive')}
        checked={search.all ?? false}
        onChange={({ currentTarget: { checked } }) => change({ all: checked })}
      />
    </Group>
  )
}
