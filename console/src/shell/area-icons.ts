import {
  type Icon,
  IconAddressBook,
  IconApi,
  IconBuilding,
  IconBuildingHospital,
  IconCalendarDue,
  IconChartBar,
  IconChecklist,
  IconFileImport,
  IconInbox,
  IconListDetails,
  IconReceipt,
  IconShieldCheck,
  IconUserCog,
  IconUsers,
  IconWebhook,
} from '@tabler/icons-react'
import type { Area } from './areas.ts'

/** The icon of each area. */
export const areaIcons: Readonly<Record<Area['name'], Icon>> = {
  queue: IconInbox,
  overview: IconChartBar,
  requests: IconListDetails,
  deadlines: IconCalendarDue,
  imports: IconFileImport,
  members: IconUsers,
  invoices: IconReceipt,
  companies: IconBuilding,
  carriers: IconBuildingHospital,
  requirements: IconChecklist,
  clients: IconApi,
  webhooks: IconWebhook,
  people: IconAddressBook,
  operators: IconUserCog,
  audit: IconShieldCheck,
}
