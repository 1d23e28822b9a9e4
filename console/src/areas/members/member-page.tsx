import { Stack } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useOperation } from '../../api/use-operation.ts'
import { PageHeader } from '../../components/data-table.tsx'
import { RawView } from '../../components/raw-view.tsx'
import { QueryView } from '../../components/state-view.tsx'
import type { Member } from './benefits.ts'
import { Family } from './family.tsx'
import { MemberBenefits } from './member-benefits.tsx'
import { MemberContinuations } from './member-continuations.tsx'
import { MemberMovements } from './member-movements.tsx'
import { PersonalData } from './personal-data.tsx'
import { Registrations } from './registrations.tsx'
import { useMemberDisclosure } from './use-member-disclosure.ts'

const route = getRouteApi('/shell/members/$memberId')

/** One person: its benefits, family and movements, and what the companies have of it. */
export function MemberPage() {
  const { memberId } = route.useParams()
  const query = useOperation('readAnyMember', { path: [memberId] })
  return (
    // The key: what was revealed of one person does not stay on the page of the next.
    <QueryView query={query}>{({ result }) => <MemberContent key={memberId} member={result} />}</QueryView>
  )
}

function MemberContent({ member }: { readonly member: Member }) {
  const disclosure = useMemberDisclosure(member.id)
  return (
    <>
      <div translate="no">
        <PageHeader title={member.profile.name} />
      </div>
      <Stack gap="xl">
        <PersonalData member={member} disclosure={disclosure} />
        <MemberBenefits member={member} />
        <MemberContinuations member={member} />
        <Family family={member.family} />
        <MemberMovements memberId={member.id} />
        <Registrations member={member} disclosed={disclosure.data} />
        <RawView value={member} />
      </Stack>
    </>
  )
}
