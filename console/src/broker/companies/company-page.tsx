import { Box } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { formatCnpj } from '../../../../src/kernel/tax-id.ts'
import { useOperation } from '../../api/use-operation.ts'
import { api } from '../../api/client.ts'
import { ContextLine } from '../../components/context-line.tsx'
import { Copied } from '../../components/copied.tsx'
import { ButtonLink } from '../../components/link.tsx'
import { ObjectPage } from '../../components/object-page.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { RawView } from '../../components/raw-view.tsx'
import { QueryView } from '../../components/state-view.tsx'
import { WorkbookButton } from '../../components/workbook-button.tsx'
import { CnpjValue, Value } from '../../components/value.tsx'
import { NewMovementLink } from '../../entities/movement-forms/new-movement-link.tsx'
import { ContactList } from '../../entities/contacts/contact-list.tsx'
import { usePermission } from '../../session/use-permission.ts'
import { CompanyClients } from './company-clients.tsx'
import { CompanyContracts } from './company-contracts.tsx'
import { CompanyLists } from './company-lists.tsx'
import { HeadcountTable } from './headcount.tsx'
import { ProductTable } from './product-table.tsx'
import type { Company } from './product-values.ts'
import { RosterButton } from './roster-button.tsx'
import { RosterPolicy } from './roster-policy.tsx'
import { SectionTitle } from '../../components/section-title.tsx'

const route = getRouteApi('/shell/companies/$taxId')

export function CompanyPage() {
  const { taxId } = route.useParams()
  const company = useOperation('readAnyCompany', { path: [taxId] })
  return (
    <ObjectPage query={company} title={<CnpjValue value={taxId} />}>
      {({ result }) => <CompanyView company={result} />}
    </ObjectPage>
  )
}

function CompanyView({ company }: { readonly company: Company }) {
  const { t } = useTranslation('companies')
  const taxId = company['tax-id']
  const mayWrite = usePermission('putCompany')
  const mayImport = usePermission('readImportTemplate')
  const mayExport = usePermission('exportCompanyRoster')
  const lives = useOperation('readCompanyHeadcount', { path: [taxId] })
  const mayReadPolicy = usePermission('readAnyRosterPolicy')
  const mayReadClients = usePermission('listClients')
  return (
    <>
      <PageHeader title={<Value>{company.name}</Value>}>
        <NewMovementLink company={taxId} />
        {mayExport && <RosterButton taxId={taxId} />}
        {mayImport && (
          <WorkbookButton
            fileName={`${t('templateName')}-${taxId}`}
            read={(options) => api.imports.template({ 'company-tax-id': taxId }, options)}
          >
            {t('template')}
          </WorkbookButton>
        )}
        {mayWrite && (
          <ButtonLink to="/companies/$taxId/edit" params={{ taxId }} variant="default">
            {t('edit')}
          </ButtonLink>
        )}
      </PageHeader>
      <ContextLine
        items={[
          <Copied key="tax-id" text={formatCnpj(taxId)} name={t('taxId')}>
            <CnpjValue value={taxId} />
          </Copied>,
        ]}
      />
      <CompanyLists taxId={taxId} />
      <SectionTitle mt="lg">{t('lives')}</SectionTitle>
      <QueryView query={lives}>{({ result }) => <HeadcountTable lives={result} />}</QueryView>
      <CompanyContracts taxId={taxId} />
      <SectionTitle mt="lg">{t('contacts')}</SectionTitle>
      <ContactList contacts={company.contacts} />
      <SectionTitle mt="lg">{t('rules')}</SectionTitle>
      <ProductTable products={company.products} />
      {mayReadPolicy && <RosterPolicy taxId={taxId} />}
      {mayReadClients && <CompanyClients taxId={taxId} />}
      <Box mt="lg">
        <RawView value={company} />
      </Box>
    </>
  )
}
