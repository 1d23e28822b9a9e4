import { useTranslation } from 'react-i18next'
import { Absent } from '../../components/value.tsx'
import { formatDate } from '../../format/date.ts'
import { formatMoney } from '../../format/number.ts'
import { formatCpf } from '../../format/tax-id.ts'
import { termBadge } from '../../components/term-badge.tsx'

interface Props {
  readonly name: string
  /** `expected` or `found` of a discrepancy. */
  readonly value: string | null
  /** It is of an invoice: cents. */
  readonly isMoney: boolean
}

/** What is here, or what the carrier has. @param props.name the class of the discrepancy. */
export function DiscrepancyValue({ name, value, isMoney }: Props) {
  const { t } = useTranslation('terms')
  const wordsOf = (text: string): string => {
    if (isMoney && /^-?\d+$/.test(text)) return formatMoney(Number(text))
    if (name === 'tax-id-differs') return formatCpf(text)
    if (name === 'relationship-differs') {
      return text === 'primary' || text === 'dependent'
        ? t(`beneficiaryType.${text}`)
        : t(`dependentType.${text as 'child'}`)
    }
    return /^\d{4}-\d{2}-\d{2}$/.test(text) ? formatDate(text) : text
  }
  if (value === null) return <Absent />
  const words = wordsOf(value)
  return (
    <span translate="no" title={words}>
      {words}
    </span>
  )
}

/** The status of a discrepancy. */
export const DiscrepancyStatusBadge = termBadge('discrepancyStatus', {
  open: 'orange',
  explained: 'blue',
  claimed: 'indigo',
  corrected: 'green',
  accepted: 'gray',
})
