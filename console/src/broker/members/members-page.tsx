import { Group, Switch } from '@mantine/core'
import type { Item } from '@vigencia/client'
import { getRouteApi, useRouterState } from '@tanstack/react-router'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { BENEFIT_STATUSES } from '../../../../src/kernel/enums.ts'
import { usePagedList } from '../../api/use-paged-list.ts'
import { CompanyLabel } from '../../entities/companies/company-label.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { TextLink } from '../../components/link.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { Message } from '../../components/state-view.tsx'
import { TextValue } from '../../components/value.tsx'
import { column, cpf } from '../../lists/columns.tsx'
import { usePermission } from '../../session/use-permission.ts'
import { CompanySelect } from '../../entities/companies/company-select.tsx'
import { BenefitStatusBadge } from '../../entities/benefits/benefit-status.tsx'
import {
  isLikeTaxId,
  type MembersSearch,
  membersSearchOf,
  queryOf,
  searchError,
} from '../../entities/members/search.ts'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** A CPF that is searched for: in the address it would be in logs of proxies. */
    taxIdSearch?: string
  }
}

type Member = Item<'searchMembers'>

const route = getRouteApi('/shell/members')

const columnsOf = (t: TFunction<'members'>): readonly Column<Member>[] => [
  column(t('name'), 'minmax(14rem, 1fr)', ({ id, profile }) => (
    <TextLink to="/members/$memberId" params={{ memberId: id }}>
      <TextValue value={profile.name} />
    </TextLink>
  )),
  cpf(t('cpf'), ({ profile }) => profile['tax-id'], '9rem'),
  column(t('companies'), 'minmax(16rem, 1.5fr)', ({ companies }) =>
    companies.map(({ 'tax-id': taxId, name }, index) => (
      <span key={taxId} translate="no">
        {index > 0 && ', '}
        <CompanyLabel taxId={taxId} name={name} />
      </span>
    )),
  ),
  column(t('benefits'), '18rem', ({ benefits }) => (
    <Group gap={4} wrap="nowrap">
      {BENEFIT_STATUSES.map((status) => {
        const count = benefits.filter((benefit) => benefit.status === status).length
        return count === 0 ? null : <BenefitStatusBadge key={status} status={status} count={count} />
      })}
    </Group>
  )),
]

/** People of all companies, searched. */
export function MembersPage() {
  const { t } = useTranslation('members')
  const taxIdSearch = useRouterState({ select: ({ location }) => location.state.taxIdSearch })
  const inAddress = route.useSearch()
  const search = taxIdSearch === undefined ? inAddress : { ...inAddress, q: taxIdSearch }
  const query = queryOf(search)
  return (
    <>
      <PageHeader title={t('title')} />
      <Filters search={search} />
      {query === null ? <Message title={t('startTitle')}>{t('start')}</Message> : <Found query={query} />}
    </>
  )
}

function Filters({ search }: { readonly search: MembersSearch }) {
  const { t } = useTranslation(['members', 'states'])
  const navigate = route.useNavigate()
  const change = (changed: Readonly<Record<string, unknown>>) => {
    const { q, ...others } = membersSearchOf({ ...search, ...changed })
    const isHidden = q !== undefined && isLikeTaxId(q)
    void navigate({
      search: isHidden || q === undefined ? others : { q, ...others },
      state: isHidden ? { taxIdSearch: q } : {},
      replace: true,
    })
  }
  return (
    <Group align="flex-start" mb="md" gap="sm" role="search" aria-label={t('states:filters')}>
      <SearchField
        label={t('search')}
        description={t('searchDescription')}
        width="24rem"
        value={search.q}
        errorOf={(text) => {
          const error = searchError(text)
          return error === null ? null : t(error)
        }}
        clearsInvalid
        onChange={(q) => change({ q })}
      />
      <CompanySelect
        label={t('company')}
        value={search['company-tax-id'] ?? null}
        onChange={(taxId) => change({ 'company-tax-id': taxId ?? undefined })}
      />
      <Switch
        mt={{ base: 0, sm: 30 }}
        label={t('includeInactive')}
        checked={search['include-inactive'] ?? false}
        onChange={({ currentTarget: { checked } }) => change({ 'include-inactive': checked })}
      />
    </Group>
  )
}

function Found({ query }: { readonly query: object }) {
  const { t } = useTranslation('members')
  // Who works with people sees the CPFs; the service records each page that is read.
  const disclose = usePermission('discloseMember')
  const list = usePagedList('searchMembers', disclose ? { ...query, disclose } : query)
  const columns = columnsOf(t)
  return (
    <DataTable
      label={t('title')}
      unit="people"
      columns={columns}
      list={list}
      idOf={({ id }) => id}
      empty={t('emptyResult')}
    />
  )
}
