import { Button, Text } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { Company, MemberDetail } from '@vigencia/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCompanyOperation } from '../../entities/company-hr/client.ts'
import { OfCompany } from '../../entities/company-hr/of-company.tsx'
import { RequestOutcome } from '../../entities/company-hr/request-outcome.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { QueryView } from '../../components/state-view.tsx'
import { TextValue } from '../../components/value.tsx'
import { KeptForm } from '../../forms/kept-draft.tsx'
import { FamilyForm } from '../../entities/movement-forms/family-form.tsx'

const route = getRouteApi('/shell/hr/include')

/** Includes a family, or a dependent of a person who is covered already. */
export function IncludePage() {
  const { t } = useTranslation('hr')
  const { primary } = route.useSearch()
  return (
    <>
      <PageHeader title={t(primary === undefined ? 'include' : 'includeDependent')} />
      <OfCompany>
        {(company) =>
          primary === undefined ? (
            <Family company={company} primary={null} />
          ) : (
            <OfPrimary id={primary} company={company} />
          )
        }
      </OfCompany>
    </>
  )
}

function OfPrimary({ id, company }: { readonly id: string; readonly company: Company }) {
  const { t } = useTranslation('hr')
  const query = useCompanyOperation('readMember', { path: [id] })
  return (
    <QueryView query={query}>
      {({ result }) => (
        <>
          <Text size="sm" mb="sm">
            {t('dependentOf')} <TextValue value={result.profile.name} />
          </Text>
          <Family key={id} company={company} primary={result} />
        </>
      )}
    </QueryView>
  )
}

/** Once one was sent, another can be included. */
function Family({ company, primary }: { readonly company: Company; readonly primary: MemberDetail | null }) {
  const { t } = useTranslation('hr')
  const [round, setRound] = useState(0)
  return (
    <KeptForm key={round} name={`include ${company['tax-id']} ${primary?.id ?? ''}`}>
      <FamilyForm
        company={company}
        primary={primary}
        sent={(accepted, names) => (
          <RequestOutcome requestId={accepted['request-id']} names={names}>
            <Button onClick={() => setRound(round + 1)}>{t('includeAnother')}</Button>
          </RequestOutcome>
        )}
      />
    </KeptForm>
  )
}
