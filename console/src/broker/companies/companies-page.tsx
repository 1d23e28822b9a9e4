import type { TFunction } from 'i18next'
import { Group } from '@mantine/core'
import type { Company } from '@vigencia/client'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { usePagedList } from '../../api/use-paged-list.ts'
import { companySearchText } from '../../entities/companies/company-search-text.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { TextLink, ButtonLink } from '../../components/link.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { CnpjValue, TextValue } from '../../components/value.tsx'
import { column, number, text } from '../../lists/columns.tsx'
import { usePermission } from '../../session/use-permission.ts'

const route = getRouteApi('/shell/companies')

const columnsOf = (t: TFunction<'companies'>): readonly Column<Company>[] => [
  column(t('name'), 'minmax(14rem, 2fr)', (company) => (
    <TextLink to="/companies/$taxId" params={{ taxId: company['tax-id'] }}>
      <TextValue value={company.name} />
    </TextLink>
  )),
  column(t('taxId'), '12rem', (company) => <CnpjValue value={company['tax-id']} />),
  number(t('products'), ({ products }) => products.length),
  text(
    t('carriers'),
    ({ products }) => [...new Set(products.map((product) => product['carrier-name']))].join(', '),
    'minmax(12rem, 2fr)',
  ),
]

export function CompaniesPage() {
  const { t } = useTranslation('companies')
  const { q } = route.useSearch()
  const navigate = useNavigate()
  const mayWrite = usePermission('putCompany')
  const list = usePagedList('searchCompanies', q === undefined ? {} : { q: companySearchText(q) })
  const columns = columnsOf(t)
  return (
    <>
      <PageHeader title={t('title')}>
        {mayWrite && <ButtonLink to="/companies/new">{t('create')}</ButtonLink>}
      </PageHeader>
      <Group mb="md">
        <SearchField
          label={t('search')}
          placeholder={t('searchPlaceholder')}
          width="22rem"
          value={q}
          onChange={(text) =>
            void navigate({ to: '/companies', search: text === undefined ? {} : { q: text }, replace: true })
          }
        />
      </Group>
      <DataTable
        label={t('title')}
        unit="companies"
        columns={columns}
        list={list}
        idOf={({ id }) => id}
        empty={q === undefined ? t('empty') : t('noneFound')}
      />
    </>
  )
}
