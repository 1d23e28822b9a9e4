import type { Company, MemberDetail } from '@vigencia/client'
import type { ReactNode } from 'react'
import { Text } from '@mantine/core'
import { PageHeader } from '../../components/page-header.tsx'
import { QueryView } from '../../components/state-view.tsx'
import { CpfValue, TextValue } from '../../components/value.tsx'
import { useCompanyOperation } from './client.ts'
import { OfCompany } from './of-company.tsx'

/** A page about one person of the company. @param props.title what is asked for. */
export function OfPerson(props: {
  readonly memberId: string
  readonly title: string
  readonly children: (member: MemberDetail, company: Company) => ReactNode
}) {
  const query = useCompanyOperation('readMember', { path: [props.memberId] })
  return (
    <>
      <PageHeader title={props.title} />
      <QueryView query={query}>
        {({ result }) => (
          <OfCompany>
            {(company) => (
              <>
                <Text size="sm" mb="sm">
                  <TextValue value={result.profile.name} /> · <CpfValue value={result.profile['tax-id']} />
                </Text>
                {props.children(result, company)}
              </>
            )}
          </OfCompany>
        )}
      </QueryView>
    </>
  )
}
