import type { TFunction } from 'i18next'
import { Anchor, Button, Group } from '@mantine/core'
import type { Company } from '@vigencia/client'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { usePagedList } from '../../api/use-paged-list.ts'
import { companySearchText } from '../../entities/companies/company-search-text.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { CnpjValue, NumberValue, TextValue } from '../../components/value.tsx'
import { usePermission } from '../../session/use-permission.ts'

const route = getRouteApi('/shell/companies')

const columnsOf = (t: TFunction<'companies'>): readonly Column<Company>[] => [
  {
    id: 'name',
    header: t('name'),
    width: 'minmax(14rem, 2fr)',
    cell: (company) => (
      <Anchor
        size="sm"
        renderRoot={(props) => <Link to="/companies/$taxId" params={{ taxId: company['tax-id'] }} {...props} />}
      >
        <TextValue value={company.name} />
      </Anchor>
    ),
  },
  { id: 'taxId', header: t('taxId'), width: '12rem', cell: (company) => <CnpjValue value={company['tax-id']} /> },
  {
    id: 'products',
    header: t('products'),
    width: '6rem',
    isNumeric: true,
    cell: ({ products }) => <NumberValue value={products.length} />,
  },
  {
    id: 'carriers',
    header: t('carriers'),
    width: 'minmax(12rem, 2fr)',
    cell: ({ products }) => (
      <TextValue value={[...new Set(products.map((product) => product['carrier-name']))].join(', ')} />
    ),
  },
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
        {mayWrite && <Button renderRoot={(props) => <Link to="/companies/new" {...props} />}>{t('create')}</Button>}
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
