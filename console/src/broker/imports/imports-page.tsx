import { Button } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { TextLink } from '../../components/link.tsx'
import { Loading } from '../../components/state-view.tsx'
import { WorkbookButton } from '../../components/workbook-button.tsx'
import { formatTimestamp } from '../../format/date.ts'
import { column, number, side, text } from '../../lists/columns.tsx'
import { usePermission } from '../../session/use-permission.ts'
import { ImportStatusBadge } from './import-status.tsx'
import { listPage } from '../../lists/list-page.tsx'
import { SectionTitle } from '../../components/section-title.tsx'

const List = listPage('listImports')
const NewImport = lazy(() => import('./new-import.tsx'))

/** A new import, and those there were, newest first. */
export function ImportsPage() {
  const { t } = useTranslation(['imports', 'terms'])
  const mayWrite = usePermission('importMembers')
  const [companyTaxId, setCompanyTaxId] = useState<string | null>(null)
  const ofCompany = companyTaxId === null ? {} : { 'company-tax-id': companyTaxId }
  return (
    <List
      title={t('title')}
      options={{ refetchInterval: 10_000 }}
      actions={
        <>
          <Button
            component="a"
            variant="default"
            href="/operator/v1/member/import/template?language=pt-BR"
            download="modelo.csv"
          >
            {t('templatePortuguese')}
          </Button>
          <Button
            component="a"
            variant="default"
            href="/operator/v1/member/import/template?language=en"
            download="template.csv"
          >
            {t('templateEnglish')}
          </Button>
          <WorkbookButton fileName="modelo" read={(options) => api.imports.template(ofCompany, options)}>
            {t('templateExcel')}
          </WorkbookButton>
        </>
      }
      filters={
        <>
          {mayWrite && (
            <Suspense fallback={<Loading />}>
              <NewImport companyTaxId={companyTaxId} onCompany={setCompanyTaxId} />
            </Suspense>
          )}
          <SectionTitle>{t('history')}</SectionTitle>
        </>
      }
      label={t('history')}
      columns={[
        column(t('createdAt'), '9rem', (one) => (
          <TextLink to="/imports/$importId" params={{ importId: one['import-id'] }}>
            <span translate="no">{formatTimestamp(one['created-at'])}</span>
          </TextLink>
        )),
        text(t('fileName'), 'file-name', 'minmax(7rem, 1.5fr)'),
        text(t('company'), 'company-name', 'minmax(7rem, 1fr)'),
        text(t('author'), 'actor-name', '8.5rem'),
        column(t('kind'), '7rem', (one) => t(one['dry-run'] ? 'dryRun' : 'realImport')),
        side(t('status'), '7.5rem', (one) => <ImportStatusBadge status={one.status} />),
        number(t('lines'), 'lines', '4.5rem'),
        number(t('accepted'), 'accepted', '5.5rem'),
        number(t('rejected'), 'rejected', '6.5rem'),
      ]}
      idOf={(one) => one['import-id']}
      empty={t('empty')}
    />
  )
}
