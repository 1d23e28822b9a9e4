import { CloseButton, UnstyledButton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useOperation } from '../../api/use-operation.ts'
import { Value } from '../../components/value.tsx'
import { useOperatorNames } from '../../entities/decisions/use-operator-names.ts'
import { formatDate } from '../../format/date.ts'
import { typeTerm } from '../../format/movement-type.ts'
import { dayNames, type QueueSearch } from '../../entities/queue/queue-search.ts'

type Name = keyof QueueSearch

interface Chip {
  /** The filters that it removes. */
  readonly names: readonly Name[]
  readonly label: string
  readonly value: string
  /** The value is of the catalogue, and no data. */
  readonly isText?: boolean
}

/** The filters that are set, each with a button that removes it; the chip itself leads to the form. */
export function FilterChips(props: {
  readonly search: QueueSearch
  readonly onRemove: (names: readonly Name[]) => void
  readonly onEdit: () => void
}) {
  const { t } = useTranslation('queue')
  return useChips(props.search).map(({ names, label, value, isText = false }) => (
    <span key={names[0]} className="chip">
      <UnstyledButton onClick={props.onEdit}>
        {label}
        <Value>: </Value>
        {isText ? value : <Value>{value}</Value>}
      </UnstyledButton>
      <CloseButton size="xs" aria-label={t('filters.clear', { filter: label })} onClick={() => props.onRemove(names)} />
    </span>
  ))
}

function useChips(search: QueueSearch): readonly Chip[] {
  const { t } = useTranslation(['queue', 'terms'])
  const nameOf = useOperatorNames()
  const taxId = search['company-tax-id']
  const company = useOperation('readAnyCompany', { path: [taxId ?? ''] }, { enabled: taxId !== undefined }).data?.result
  const chips: Chip[] = []
  const add = (names: readonly Name[], label: string, value: string | undefined, isText = false) => {
    if (value !== undefined) chips.push({ names, label, value, isText })
  }
  const { assignee, due, age } = search
  const type = search['enrollment-type']
  const types = ['enrollment-type', 'alteration-kind'] as const
  add(types, t('queue:filters.type'), type && t(typeTerm(type, search['alteration-kind'] ?? null)), true)
  add(['carrier-name'], t('queue:filters.carrier'), search['carrier-name'])
  add(['company-tax-id', 'product-id'], t('queue:filters.company'), taxId && (company?.name ?? taxId))
  const product = company?.products.find((one) => one['product-id'] === search['product-id'])
  add(['product-id'], t('queue:filters.product'), search['product-id'] && (product?.['product-name'] ?? '…'))
  const own = assignee === 'me' ? t('queue:filters.me') : assignee === 'none' ? t('queue:filters.nobody') : undefined
  add(['assignee'], t('queue:filters.assignee'), own ?? (assignee && nameOf(assignee)), own !== undefined)
  add(['due'], t('queue:filters.due'), due && t(`queue:filters.dues.${due}`), true)
  add(['age'], t('queue:filters.age'), age && t(`queue:filters.ages.${age}`), true)
  for (const name of dayNames) {
    const day = search[name]
    add([name], t(`queue:filters.days.${name}`), day && formatDate(day))
  }
  add(['overdue'], t('queue:filters.atCarrier'), search.overdue && t('queue:filters.withoutAnswer'), true)
  add(['answered'], t('queue:filters.partner'), search.answered && t('queue:answered'), true)
  add(['shipment-number'], t('queue:filters.shipment'), search['shipment-number']?.toString())
  const cutOff = search['cut-off-date']
  add(['cut-off-date'], t('queue:filters.cutOff'), cutOff && formatDate(cutOff))
  add(['shipment-id'], t('queue:filters.shipment'), search['shipment-id'] && t('queue:filters.one'), true)
  add(['member-id'], t('queue:filters.member'), search['member-id'] && t('queue:filters.one'), true)
  return chips
}
