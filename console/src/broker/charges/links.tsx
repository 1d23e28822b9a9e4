import { useOperation } from '../../api/use-operation.ts'
import { TextLink } from '../../components/link.tsx'
import type { ChargeLinks } from '../../entities/charges/charge.ts'
import { usePermission } from '../../session/use-permission.ts'

/** The ways that operators go from a charge. */
export const brokerLinks: ChargeLinks = {
  Movement({ movement, children }) {
    const mayRead = usePermission('readMovement')
    if (!mayRead) return <>{children}</>
    return (
      <TextLink to="/queue/$enrollmentId" params={{ enrollmentId: movement['enrollment-id'] }} inherit>
        {children}
      </TextLink>
    )
  },
  Discrepancy({ charge, found, children }) {
    const ofInvoice = {
      'contract-id': charge['contract-id'],
      kind: 'invoice',
      'reference-month': charge['reference-month'],
    } as const
    const { data } = useOperation('listReconciliations', { query: ofInvoice })
    const files = data?.result ?? []
    const [file] = files
    if (file === undefined || files.length > 1) {
      return (
        <TextLink to="/reconciliations" search={ofInvoice}>
          {children}
        </TextLink>
      )
    }
    return (
      <TextLink
        to="/reconciliations/$fileId"
        params={{ fileId: file['carrier-file-id'] }}
        search={{ class: found.class, ...(charge['member-name'] === null ? {} : { q: charge['member-name'] }) }}
      >
        {children}
      </TextLink>
    )
  },
  Claim: ({ claim, children }) => (
    <TextLink to="/claims/$claimId" params={{ claimId: claim['claim-id'] ?? '' }}>
      {children}
    </TextLink>
  ),
  Contract: ({ charge, children }) => (
    <TextLink
      to="/carriers/contracts/$contractId"
      params={{ contractId: charge['contract-id'] }}
      hash="prices"
      size="xs"
    >
      {children}
    </TextLink>
  ),
  Person({ memberId, children }) {
    const mayRead = usePermission('readAnyMember')
    if (!mayRead) return <>{children}</>
    return (
      <TextLink to="/members/$memberId" params={{ memberId }} size="md">
        {children}
      </TextLink>
    )
  },
}
