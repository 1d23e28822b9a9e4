import { Stack } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useOperation } from '../../api/use-operation.ts'
import { TextLink } from '../../components/link.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { RawView } from '../../components/raw-view.tsx'
import { QueryView } from '../../components/state-view.tsx'
import { usePermission } from '../../session/use-permission.ts'
import type { Member } from '../../entities/benefits/benefits.ts'
import { NewMovementLink } from '../../entities/movement-forms/new-movement-link.tsx'
import { Family } from './family.tsx'
import { MemberBenefits } from './member-benefits.tsx'
import { MemberContinuations } from './member-continuations.tsx'
import { MemberLeaves } from './member-leaves.tsx'
import { MemberMovements } from './member-movements.tsx'
import { PersonalData } from './personal-data.tsx'
import { FinalBalanceLink } from './final-balance-link.tsx'
import { Registrations } from './registrations.tsx'

const route = getRouteApi('/shell/members/$memberId')

/** One person: its benefits, family and movements, and what the companies have of it. */
export function MemberPage() {
  const { memberId } = route.useParams()
  // Who works with people sees all data; the service records it.
  const disclose = usePermission('discloseMember')
  const query = useOperation('readAnyMember', { path: [memberId], ...(disclose ? { query: { disclose } } : {}) })
  return <QueryView query={query}>{({ result }) => <MemberContent member={result} />}</QueryView>
}

function MemberContent({ member }: { readonly member: Member }) {
  const { t } = useTranslation('personalData')
  const mayAudit = usePermission('listMemberDisclosures')
  return (
    <>
      <div translate="no">
        <PageHeader title={member.profile.name}>
          <FinalBalanceLink member={member} />
          <NewMovementLink person={member.id} />
        </PageHeader>
      </div>
      <PersonalData member={member} />
      {mayAudit && (
        <TextLink to="/members/$memberId/disclosures" params={{ memberId: member.id }} mb="sm" display="inline-block">
          {t('whoSaw')}
        </TextLink>
      )}
      <Stack gap="xl">
        <MemberBenefits member={member} />
        <MemberContinuations member={member} />
        <MemberLeaves member={member} />
        <Family member={member} />
        <MemberMovements memberId={member.id} />
        <Registrations member={member} />
        <RawView value={member} />
      </Stack>
    </>
  )
}
