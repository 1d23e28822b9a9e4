import type { Schemas } from '@vigencia/client'
import i18next from 'i18next'
import { wordOf } from '../../components/field-words.ts'
import { layoutFieldLabel } from '../../entities/layouts/field-label.ts'
import { formatDate } from '../../format/date.ts'
import { formatAmount } from '../../format/number.ts'
import { isAmount, type SheetCell } from './sheet-fields.ts'

type Source = NonNullable<Schemas['LayoutColumn']['source']>

/** What is typed into a field of a portal. */
export interface PortalField {
  readonly label: string
  /** The heading of its column in the file, where it says more than the label. */
  readonly heading: string | null
  readonly value: string
}

/** What portals ask first, in their order; the other columns follow in that of the layout. */
const first: readonly Source[] = [
  'plan.product-name',
  'plan.carrier-plan-code',
  'contract.contract-number',
  'contract.sub-contract',
  'movement.start-date',
  'movement.end-date',
  'movement.exclusion-reason',
  'benefit.card-number',
  'primary.name',
  'primary.tax-id',
  'person.relationship',
  'person.tax-id',
  'person.name',
  'person.date-of-birth',
  'person.mothers-name',
  'person.gender',
  'person.marital-status',
]

/** What tells movements apart in files, and is typed nowhere. */
const notTyped: ReadonlySet<string> = new Set<Source>([
  'movement.enrollment-id',
  'movement.position',
  'movement.kind',
  'movement.alteration-type',
  'movement.beneficiary-type',
  'contract.carrier-name',
])

/** The fields of a movement as a portal asks for them. A layout under the names of the API gets words and that order; one of a carrier keeps its own. */
export function portalFields(cells: readonly SheetCell[]): PortalField[] {
  const isOfApi = cells.every(({ heading }) => /^[a-z][a-z0-9-]*$/.test(heading))
  const fields = cells.map((cell) => ({ source: cell.column?.source, ...fieldOf(cell, isOfApi) }))
  if (!isOfApi) return fields
  const place = ({ source }: { readonly source: Source | undefined }) => {
    const at = source === undefined ? -1 : first.indexOf(source)
    return at === -1 ? first.length : at
  }
  return fields
    .filter(({ source }, index) => {
      if (source === undefined) return true
      // The next ones of a source have it as a code of others.
      return !notTyped.has(source) && fields.findIndex((one) => one.source === source) === index
    })
    .toSorted((one, other) => place(one) - place(other))
}

function fieldOf({ heading, value, column }: SheetCell, isOfApi: boolean): PortalField {
  const source = column?.source
  const label = isOfApi && source !== undefined ? layoutFieldLabel(source) : heading
  return { label, heading: label === heading ? null : heading, value: typedValue(value, column) }
}

const nameOf = (source: Source) => source.slice(source.indexOf('.') + 1)

/** A value in the form of portals, where the layout has none of its own for it. */
function typedValue(value: string, { source, format, map }: SheetCell['column'] = {}): string {
  if (source === undefined || format !== undefined || map !== undefined) return value
  if (/^\d{4}-\d{2}-\d{2}$/.test(value)) return formatDate(value)
  if (isAmount(source) && /^\d+$/.test(value)) return formatAmount(Number(value))
  if (value === 'true' || value === 'false') return i18next.t(value === 'true' ? 'states:yes' : 'states:no')
  if (source === 'person.relationship') {
    return wordOf('dependent-type', value) ?? wordOf('beneficiary-type', value) ?? value
  }
  return wordOf(nameOf(source), value) ?? value
}
