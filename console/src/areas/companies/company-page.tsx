import { Box, Button, Title } from '@mantine/core'
import type { Company } from '@vigencia/client'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useOperation } from '../../api/use-operation.ts'
import { api } from '../../api/client.ts'
import { PageHeader } from '../../components/data-table.tsx'
import { FactList } from '../../components/fact-list.tsx'
import { RawView } from '../../components/raw-view.tsx'
import { QueryView } from '../../components/state-view.tsx'
import { WorkbookButton } from '../../components/workbook-button.tsx'
import { CnpjValue, NumberValue, Value } from '../../components/value.tsx'
import { usePermission } from '../../session/use-permission.ts'
import { CompanyClients } from './company-clients.tsx'
import { CompanyLists } from './company-lists.tsx'
import { ProductTable } from './product-table.tsx'

const route = getRouteApi('/shell/companies/$taxId')

export function CompanyPage() {
  const { taxId } = route.useParams()
  const company = useOperation('readAnyCompany', { path: [taxId] })
  if (company.data !== undefined) return <CompanyView company={company.data.result} />
  return (
    <>
      <PageHeader title={<CnpjValue value={taxId} />} />
      <QueryView query={company}>{() => null}</QueryView>
    </>
  )
}

function CompanyView({ company }: { readonly company: Company }) {
  const { t } = useTranslation('companies')
  const taxId = company['tax-id']
  const mayWrite = usePermission('putCompany')
  const mayImport = usePermission('readImportTemplate')
  const mayReadClients = usePermission('listClients')
  return (
    <>
      <PageHeader title={<Value>{company.name}</Value>}>
        {mayImport && (
          <WorkbookButton
            fileName={`${t('templateName')}-${taxId}`}
            read={(options) => api.imports.template({ 'company-tax-id': taxId }, options)}
          >
            {t('template')}
          </WorkbookButton>
        )}
        {mayWrite && (
          <Button
            variant="default"
            renderRoot={(props) => <Link to="/companies/$taxId/edit" params={{ taxId }} {...props} />}
          >
            {t('edit')}
          </Button>
        )}
      </PageHeader>
      <FactList
        facts={[
          { key: 'taxId', label: t('taxId'), value: <CnpjValue value={taxId} /> },
          { key: 'products', label: t('products'), value: <NumberValue value={company.products.length} /> },
        ]}
      />
      <CompanyLists taxId={taxId} />
      <Title order={2} size="h4" mt="lg" mb="xs">
        {t('products')}
      </Title>
      <ProductTable products={company.products} />
      {mayReadClients && <CompanyClients taxId={taxId} />}
      <Box mt="lg">
        <RawView value={company} />
      </Box>
    </>
  )
}
