import type { Company, MemberDetail } from '@vigencia/client'
import { companyApi, useCompanyOperation } from '../../entities/company-hr/client.ts'
import { UnpaidLeaves } from '../../entities/payroll/unpaid-leaves.tsx'

/** When an employee of the company is on leave without pay; nothing for who is no employee of it. */
export function PersonLeaves({ member, company }: { readonly member: MemberDetail; readonly company: Company }) {
  const taxId = company['tax-id']
  const isEmployee = member.benefits.some((one) => one.type === 'primary' && one['company-tax-id'] === taxId)
  const query = useCompanyOperation('listCompanyUnpaidLeaves', { path: [taxId, member.id] }, { enabled: isEmployee })
  if (!isEmployee) return null
  const leaves = companyApi.deductions
  return (
    <UnpaidLeaves
      query={query}
      acts={{
        put: (body) => leaves.putLeave(taxId, member.id, body),
        remove: (firstDay) => leaves.deleteLeave(taxId, member.id, { 'first-day': firstDay }),
      }}
    />
  )
}
