import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { TextLink } from '../../components/link.tsx'

/** From a line of an invoice, or a discrepancy of it, to why the amount is what it is; without the line of a file only the words. */
export function WhyLink(props: {
  readonly of: { readonly 'contract-id': string; readonly 'reference-month': string }
  readonly line: { readonly 'benefit-id': string | null; readonly 'line-number': number | null }
  readonly children?: ReactNode
}) {
  const { t } = useTranslation('charges')
  const { of, line, children = t('why') } = props
  const { 'benefit-id': benefitId, 'line-number': number } = line
  if (benefitId === null && number === null) return <>{children}</>
  return (
    <TextLink
      to="/charges/$contractId/$month/why"
      params={{ contractId: of['contract-id'], month: of['reference-month'] }}
      title={t('why')}
      search={benefitId === null ? { 'line-number': number ?? 0 } : { 'benefit-id': benefitId }}
    >
      {children}
    </TextLink>
  )
}
