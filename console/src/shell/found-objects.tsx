import { Spotlight } from '@mantine/spotlight'
import IconBuilding from 'icon:building'
import IconArrowRight from 'icon:arrow-right'
import IconBuildingHospital from 'icon:building-hospital'
import IconFileText from 'icon:file-text'
import IconGavel from 'icon:gavel'
import IconInbox from 'icon:inbox'
import IconListDetails from 'icon:list-details'
import IconReceipt from 'icon:receipt'
import IconSend from 'icon:send'
import IconUser from 'icon:user'
import { useNavigate } from '@tanstack/react-router'
import type { ResponseBody, Result } from '@vigencia/client'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import type { Icon } from '../components/icon.ts'
import { isLikeTaxId } from '../entities/members/search.ts'
import { formatDate } from '../format/date.ts'
import { formatNumber } from '../format/number.ts'
import { formatMonth } from '../format/month.ts'
import { formatCnpj } from '../../../src/kernel/tax-id.ts'
import { formatCpf } from '../format/tax-id.ts'

type Found = Result<'search'>[number]
type Count = ResponseBody<'search'>['counts'][number]

/** So many the service counts. */
const maxCounted = 100

const icons: Readonly<Record<Found['type'], Icon>> = {
  member: IconUser,
  company: IconBuilding,
  carrier: IconBuildingHospital,
  contract: IconFileText,
  movement: IconInbox,
  request: IconListDetails,
  shipment: IconSend,
  claim: IconGavel,
  invoice: IconReceipt,
}

const types = Object.keys(icons) as Found['type'][]

/** What a search found, by type, each with the way to all of it. @param props.q what was searched for. */
export function FoundObjects(props: {
  readonly found: readonly Found[]
  readonly counts: readonly Count[]
  readonly q: string
}) {
  const { found, counts, q } = props
  const { t } = useTranslation('shell')
  const open = useOpen()
  const openList = useOpenList()
  return types.map((type) => {
    const own = found.filter((one) => one.type === type)
    const TypeIcon = icons[type]
    const count = counts.find((one) => one.type === type)?.count ?? 0
    return (
      own.length > 0 && (
        <Spotlight.ActionsGroup key={type} label={t(`commands.types.${type}`)}>
          {own.map((one) => (
            <Spotlight.Action
              key={one.id}
              translate="no"
              label={titleOf(one, t)}
              description={descriptionOf(one)}
              leftSection={<TypeIcon size={18} stroke={1.6} aria-hidden />}
              onClick={() => open(one)}
            />
          ))}
          {count > own.length && (
            <Spotlight.Action
              label={
                count < maxCounted
                  ? t('commands.all', { count, formatted: formatNumber(count) })
                  : t('commands.allOfMany')
              }
              leftSection={<IconArrowRight size={18} stroke={1.6} aria-hidden />}
              onClick={() => openList(type, q)}
            />
          )}
        </Spotlight.ActionsGroup>
      )
    )
  })
}

/** What an object is called. */
function titleOf(one: Found, t: TFunction): string {
  switch (one.type) {
    case 'contract':
      return `${one['carrier-name']} · ${one['contract-number']}`
    case 'shipment':
      return `${t('commands.shipment', { number: one.number ?? '' })} · ${one['carrier-name']}`
    case 'claim':
      return `${one['carrier-name']} · ${formatMonth(one['reference-month'] ?? '')}`
    case 'invoice':
      return one.id
    default:
      return one.name ?? one.reference ?? one.id
  }
}

/** What tells objects of one name apart. */
function descriptionOf(one: Found): string {
  const taxId = one['tax-id']
  const parts = [
    taxId === null ? null : one.type === 'company' ? formatCnpj(taxId) : formatCpf(taxId),
    one.type === 'invoice' ? one['carrier-name'] : null,
    one.type === 'shipment' || one.type === 'claim' ? one['contract-number'] : null,
    one['carrier-protocol'],
    one['due-date'] === null ? null : formatDate(one['due-date']),
    one['company-name'],
  ]
  return parts.filter((part) => part !== null).join(' · ')
}

/** Leads to the page of an object. */
function useOpen() {
  const navigate = useNavigate()
  return ({ type, id, name }: Found): void => {
    switch (type) {
      case 'member':
        return void navigate({ to: '/members/$memberId', params: { memberId: id } })
      case 'company':
        return void navigate({ to: '/companies/$taxId', params: { taxId: id } })
      // The data of carriers are a table of the page of their contracts.
      case 'carrier':
        return void navigate({ to: '/carriers', search: { 'carrier-name': name ?? '' } })
      case 'contract':
        return void navigate({ to: '/carriers/contracts/$contractId', params: { contractId: id } })
      case 'shipment':
        return void navigate({ to: '/carriers/shipments/$shipmentId', params: { shipmentId: id } })
      case 'claim':
        return void navigate({ to: '/claims/$claimId', params: { claimId: id } })
      case 'movement':
        return void navigate({ to: '/queue/$enrollmentId', params: { enrollmentId: id } })
      case 'request':
        return void navigate({ to: '/requests/$requestId', params: { requestId: id } })
      case 'invoice':
        return void navigate({ to: '/invoices/$invoiceId', params: { invoiceId: id } })
      default:
        return type satisfies never
    }
  }
}

/** Leads to the list of a type, with what was searched for as its filter. */
function useOpenList() {
  const navigate = useNavigate()
  return (type: Found['type'], q: string): void => {
    switch (type) {
      case 'member': {
        const isHidden = isLikeTaxId(q)
        const search = { 'include-inactive': true as const, ...(isHidden ? {} : { q }) }
        return void navigate({ to: '/members', search, state: isHidden ? { taxIdSearch: q } : {} })
      }
      case 'company':
        return void navigate({ to: '/companies', search: { q } })
      case 'carrier':
      case 'contract':
        return void navigate({ to: '/carriers', search: { q } })
      case 'movement':
        return void navigate({ to: '/queue', search: { status: 'all', q } })
      case 'request':
        return void navigate({ to: '/requests', search: { reference: q } })
      case 'shipment':
        return void navigate({ to: '/carriers/shipments', search: { q } })
      case 'claim':
        return void navigate({ to: '/claims', search: { q } })
      case 'invoice':
        return void navigate({ to: '/invoices', search: { q } })
      default:
        return type satisfies never
    }
  }
}
