import { TextLink } from '../../components/link.tsx'
import type { ChargeLinks } from '../../entities/charges/charge.ts'
import { usePermission } from '../../session/use-permission.ts'

/** The ways that the people of companies go from a charge. */
export const companyLinks: ChargeLinks = {
  Movement: ({ movement, children }) => (
    <TextLink to="/hr/pending/$enrollmentId" params={{ enrollmentId: movement['enrollment-id'] }} inherit>
      {children}
    </TextLink>
  ),
  Discrepancy({ charge, found, children }) {
    const mayRead = usePermission('listCompanyDiscrepancies')
    if (!mayRead) return <>{children}</>
    return (
      <TextLink
        to="/hr/discrepancies"
        search={{
          kind: 'invoice',
          class: found.class as 'amount-differs',
          'reference-month': charge['reference-month'],
        }}
      >
        {children}
      </TextLink>
    )
  },
  Claim: ({ children }) => <>{children}</>,
  Contract: ({ children }) => <>{children}</>,
  Person: ({ memberId, children }) => (
    <TextLink to="/hr/people/$memberId" params={{ memberId }} size="md">
      {children}
    </TextLink>
  ),
}
