import { Group } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { companySearchText } from '../../entities/companies/company-search-text.ts'
import { TextLink, ButtonLink } from '../../components/link.tsx'
import { CnpjValue, TextValue } from '../../components/value.tsx'
import { column, number, text } from '../../lists/columns.tsx'
import { usePermission } from '../../session/use-permission.ts'
import { listPage } from '../../lists/list-page.tsx'
import { TextFilter, useFilters } from '../../lists/filters.tsx'

const List = listPage('searchCompanies')

export function CompaniesPage() {
  const { t } = useTranslation('companies')
  const { q } = useFilters().search
  const mayWrite = usePermission('putCompany')
  return (
    <List
      title={t('title')}
      actions={mayWrite && <ButtonLink to="/companies/new">{t('create')}</ButtonLink>}
      filters={
        <Group mb="md">
          <TextFilter name="q" label={t('search')} placeholder={t('searchPlaceholder')} width="22rem" />
        </Group>
      }
      query={q === undefined ? {} : { q: companySearchText(q) }}
      unit="companies"
      columns={[
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
      ]}
      idOf={({ id }) => id}
      empty={q === undefined ? t('empty') : t('noneFound')}
    />
  )
}
