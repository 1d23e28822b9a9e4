import { Spotlight } from '@mantine/spotlight'
import IconBuilding from 'icon:building'
import IconInbox from 'icon:inbox'
import IconListDetails from 'icon:list-details'
import IconReceipt from 'icon:receipt'
import IconUser from 'icon:user'
import { useNavigate } from '@tanstack/react-router'
import type { Result } from '@vigencia/client'
import { useTranslation } from 'react-i18next'
import type { Icon } from '../components/icon.ts'
import { formatDate } from '../format/date.ts'
import { formatCnpj } from '../../../src/kernel/tax-id.ts'
import { formatCpf } from '../format/tax-id.ts'

type Found = Result<'search'>[number]

const icons: Readonly<Record<Found['type'], Icon>> = {
  member: IconUser,
  company: IconBuilding,
  movement: IconInbox,
  request: IconListDetails,
  invoice: IconReceipt,
}

const types = Object.keys(icons) as Found['type'][]

/** What a search found, by type. */
export function FoundObjects({ found }: { readonly found: readonly Found[] }) {
  const { t } = useTranslation('shell')
  const open = useOpen()
  return types.map((type) => {
    const own = found.filter((one) => one.type === type)
    const TypeIcon = icons[type]
    return (
      own.length > 0 && (
        <Spotlight.ActionsGroup key={type} label={t(`commands.types.${type}`)}>
          {own.map((one) => (
            <Spotlight.Action
              key={one.id}
              translate="no"
              label={one.name ?? one.reference ?? one.id}
              description={descriptionOf(one)}
              leftSection={<TypeIcon size={18} stroke={1.6} aria-hidden />}
              onClick={() => open(one)}
            />
          ))}
        </Spotlight.ActionsGroup>
      )
    )
  })
}

/** What tells objects of one name apart. */
function descriptionOf(one: Found): string {
  const taxId = one['tax-id']
  const parts = [
    taxId === null ? null : one.type === 'company' ? formatCnpj(taxId) : formatCpf(taxId),
    one.type === 'invoice' ? one.id : null,
    one['carrier-protocol'],
    one['due-date'] === null ? null : formatDate(one['due-date']),
    one['company-name'],
  ]
  return parts.filter((part) => part !== null).join(' · ')
}

/** Leads to the page of an object. */
function useOpen() {
  const navigate = useNavigate()
  return ({ type, id }: Found): void => {
    switch (type) {
      case 'member':
        return void navigate({ to: '/members/$memberId', params: { memberId: id } })
      case 'company':
        return void navigate({ to: '/companies/$taxId', params: { taxId: id } })
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
