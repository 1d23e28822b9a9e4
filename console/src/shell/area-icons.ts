import IconAddressBook from 'icon:address-book'
import IconAlertTriangle from 'icon:alert-triangle'
import IconApi from 'icon:api'
import IconBuilding from 'icon:building'
import IconBuildingHospital from 'icon:building-hospital'
import IconCalendarCheck from 'icon:calendar-check'
import IconCalendarDue from 'icon:calendar-due'
import IconHeartHandshake from 'icon:heart-handshake'
import IconHome from 'icon:home'
import IconCash from 'icon:cash'
import IconChartBar from 'icon:chart-bar'
import IconChartHistogram from 'icon:chart-histogram'
import IconChecklist from 'icon:checklist'
import IconClipboardCheck from 'icon:clipboard-check'
import IconFileImport from 'icon:file-import'
import IconFilePlus from 'icon:file-plus'
import IconFingerprint from 'icon:fingerprint'
import IconInbox from 'icon:inbox'
import IconListDetails from 'icon:list-details'
import IconMailForward from 'icon:mail-forward'
import IconMessageReply from 'icon:message-reply'
import IconReceipt from 'icon:receipt'
import IconReceiptRefund from 'icon:receipt-refund'
import IconScale from 'icon:scale'
import IconSend from 'icon:send'
import IconSettings from 'icon:settings'
import IconShieldCheck from 'icon:shield-check'
import IconTable from 'icon:table'
import IconUsersGroup from 'icon:users-group'
import IconUserCog from 'icon:user-cog'
import IconUserPlus from 'icon:user-plus'
import IconUsers from 'icon:users'
import IconWebhook from 'icon:webhook'
import type { Icon } from '../components/icon.ts'
import type { Area } from './areas.ts'

/** The icon of each area. */
export const areaIcons: Readonly<Record<Area['name'], Icon>> = {
  hrHome: IconHome,
  hrPeople: IconUsers,
  hrInclude: IconUserPlus,
  hrOnboarding: IconMailForward,
  hrPending: IconMessageReply,
  hrSpreadsheets: IconTable,
  hrRosters: IconUsersGroup,
  hrDrafts: IconSend,
  hrRequests: IconListDetails,
  hrInvoices: IconReceipt,
  hrPayroll: IconCash,
  hrForecast: IconChartBar,
  hrDiscrepancies: IconScale,
  queue: IconInbox,
  drafts: IconClipboardCheck,
  rosters: IconUsersGroup,
  newMovement: IconFilePlus,
  overview: IconChartBar,
  requests: IconListDetails,
  deadlines: IconCalendarDue,
  continuations: IconHeartHandshake,
  imports: IconFileImport,
  members: IconUsers,
  invoices: IconReceipt,
  reconciliations: IconScale,
  claims: IconReceiptRefund,
  closings: IconCalendarCheck,
  payroll: IconCash,
  forecasts: IconChartBar,
  costs: IconChartHistogram,
  companies: IconBuilding,
  carriers: IconBuildingHospital,
  requirements: IconChecklist,
  clients: IconApi,
  failedSteps: IconAlertTriangle,
  webhooks: IconWebhook,
  people: IconAddressBook,
  operators: IconUserCog,
  personalData: IconFingerprint,
  audit: IconShieldCheck,
  settings: IconSettings,
  mails: IconMailForward,
}
