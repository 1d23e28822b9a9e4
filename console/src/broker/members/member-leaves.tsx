import { api } from '../../api/client.ts'
import { useOperation } from '../../api/use-operation.ts'
import { employerOf, type Member } from '../../entities/benefits/benefits.ts'
import { UnpaidLeaves } from '../../entities/payroll/unpaid-leaves.tsx'
import { usePermission } from '../../session/use-permission.ts'

/** When an employee is on leave without pay; nothing for who is no employee. */
export function MemberLeaves({ member }: { readonly member: Member }) {
  const mayRead = usePermission('listUnpaidLeaves')
  const mayWrite = usePermission('putUnpaidLeave')
  const isShown = mayRead && employerOf(member) !== null
  const query = useOperation('listUnpaidLeaves', { path: [member.id] }, { enabled: isShown })
  if (!isShown) return null
  const acts = {
    put: (body: Parameters<typeof api.payroll.putLeave>[1]) => api.payroll.putLeave(member.id, body),
    remove: (firstDay: string) => api.payroll.deleteLeave(member.id, { 'first-day': firstDay }),
  }
  return <UnpaidLeaves query={query} acts={mayWrite ? acts : null} />
}
