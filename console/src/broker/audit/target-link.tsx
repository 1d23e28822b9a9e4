import { type LinkProps } from '@tanstack/react-router'
import type { Item } from '@vigencia/client'
import { useTranslation } from 'react-i18next'
import { TextLink } from '../../components/link.tsx'
import { Value } from '../../components/value.tsx'
import { formatNumber } from '../../format/number.ts'

export type AuditRow = Item<'listAudit'>

/** Actions whose target has no page of its own: a note, a benefit, a document, a session. */
const withoutPage = new Set([
  'enrollment.note-added',
  'enrollment.exported',
  'member.denied',
  'invoice.deleted',
  'requirement-rule.deleted',
  'carrier-file.deleted',
  'claim.deleted',
])

/** The page of the object that was written; null where there is none. */
function pageOf({ action, target, 'company-tax-id': taxId }: AuditRow): LinkProps | null {
  if (withoutPage.has(action)) return null
  const [kind] = action.split('.')
  switch (kind) {
    case 'enrollment':
    case 'enrollment-data':
    case 'deadline':
      return { to: '/queue/$enrollmentId', params: { enrollmentId: target } }
    case 'inclusion':
    case 'exclusion':
    case 'alteration':
      return { to: '/requests/$requestId', params: { requestId: target } }
    case 'member':
      return action === 'member.imported'
        ? { to: '/imports/$importId', params: { importId: target } }
        : { to: '/members/$memberId', params: { memberId: target } }
    case 'invoice':
      return { to: '/invoices/$invoiceId', params: { invoiceId: target } }
    case 'client':
    case 'entitlement':
      return { to: '/clients/$clientId', params: { clientId: target } }
    case 'operator':
      return { to: '/operators' }
    case 'subject-request':
      return { to: '/personal-data/$subjectRequestId', params: { subjectRequestId: target } }
    case 'person':
      return { to: '/people' }
    case 'layout':
      return { to: '/carriers/layouts/$layoutId', params: { layoutId: target } }
    case 'requirement-rule':
      return { to: '/requirements/$ruleId', params: { ruleId: target } }
    case 'continuation':
      return { to: '/continuations/$continuationId', params: { continuationId: target } }
    case 'draft-exclusion':
      return { to: '/deadlines', search: { view: 'drafts' } }
    case 'movement-draft':
      return { to: '/drafts/$draftId', params: { draftId: target } }
    case 'decision-job':
      return { to: '/decision-jobs/$jobId', params: { jobId: target } }
    case 'column-profile':
      return { to: '/companies/$taxId', params: { taxId: target } }
    case 'company':
      return taxId === null ? null : { to: '/companies/$taxId', params: { taxId } }
    case 'carrier':
      return { to: '/carriers' }
    case 'contract':
    case 'contract-channel':
      return { to: '/carriers/contracts/$contractId', params: { contractId: target } }
    case 'shipment':
      return { to: '/carriers/shipments/$shipmentId', params: { shipmentId: target } }
    case 'carrier-file':
      return { to: '/reconciliations/$fileId', params: { fileId: target } }
    case 'claim':
      return { to: '/claims/$claimId', params: { claimId: target } }
    case 'closing':
      return taxId === null ? null : { to: '/closings', search: { 'company-tax-id': taxId } }
    case 'webhook-endpoint':
      return { to: '/webhooks/$endpointId', params: { endpointId: target } }
    default:
      return null
  }
}

/** The object that was written, with its name where one is known, as a link to its page where it has one. */
export function TargetLink({ row }: { readonly row: AuditRow }) {
  const { t } = useTranslation('audit')
  // The members of a page that was disclosed: the dialog has each.
  if (row.action === 'member.disclosed' && row.target.includes(' ')) {
    const count = row.target.split(' ').length
    return <>{t('people', { count, formatted: formatNumber(count) })}</>
  }
  const page = pageOf(row)
  const text = <Value>{row['target-name'] ?? row.target}</Value>
  if (page === null) return text
  return <TextLink {...page}>{text}</TextLink>
}
