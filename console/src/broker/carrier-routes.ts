import { ITEM_STATUSES, SHIPMENT_STATUSES } from '../../../src/kernel/broker-enums.ts'
import { directions } from '../entities/layouts/layout.ts'
import { month, oneOf, searchOf, text } from '../lists/search.ts'
import { page } from '../shell/page.ts'

const position = (value: unknown) => (/^[1-9]\d{0,4}$/.test(String(value)) ? Number(value) : undefined)

/** The pages of carriers: contracts with prices, shipments, layouts and requirements. */
export const carrierRoutes = {
  contracts: page(
    '/carriers',
    () => import('./carriers/contracts-page.tsx'),
    'ContractsPage',
    searchOf({ q: text, 'company-tax-id': text, 'carrier-name': text }),
  ),
  newContract: page('/carriers/contracts/new', () => import('./carriers/new-contract-page.tsx'), 'NewContractPage'),
  contract: page('/carriers/contracts/$contractId', () => import('./carriers/contract-page.tsx'), 'ContractPage'),
  editContract: page(
    '/carriers/contracts/$contractId/edit',
    () => import('./carriers/edit-contract-page.tsx'),
    'EditContractPage',
  ),
  newPrices: page(
    '/carriers/contracts/$contractId/prices/new',
    () => import('./prices/new-price-page.tsx'),
    'NewPricePage',
  ),
  prices: page(
    '/carriers/contracts/$contractId/prices/$priceTableId',
    () => import('./prices/price-page.tsx'),
    'PricePage',
  ),
  newContribution: page(
    '/carriers/contracts/$contractId/contributions/new',
    () => import('./prices/new-contribution-page.tsx'),
    'NewContributionPage',
  ),
  contribution: page(
    '/carriers/contracts/$contractId/contributions/$ruleId',
    () => import('./prices/contribution-page.tsx'),
    'ContributionPage',
  ),
  channel: page('/carriers/contracts/$contractId/channel', () => import('./carriers/channel-page.tsx'), 'ChannelPage'),
  calendar: page(
    '/carriers/calendar',
    () => import('./carriers/calendar-page.tsx'),
    'CalendarPage',
    searchOf({ month }),
  ),
  shipments: page(
    '/carriers/shipments',
    () => import('./shipments/shipments-page.tsx'),
    'ShipmentsPage',
    searchOf({ q: text, 'company-tax-id': text, status: oneOf(SHIPMENT_STATUSES) }),
  ),
  shipment: page(
    '/carriers/shipments/$shipmentId',
    () => import('./shipments/shipment-page.tsx'),
    'ShipmentPage',
    searchOf({ status: oneOf(ITEM_STATUSES) }),
  ),
  workSheet: page(
    '/carriers/shipments/$shipmentId/work-sheet',
    () => import('./shipments/work-sheet-page.tsx'),
    'WorkSheetPage',
    searchOf({ position }),
  ),
  layouts: page(
    '/carriers/layouts',
    () => import('./layouts/layouts-page.tsx'),
    'LayoutsPage',
    searchOf({ direction: oneOf(directions) }),
  ),
  newLayout: page(
    '/carriers/layouts/new',
    () => import('./layouts/new-layout-page.tsx'),
    'NewLayoutPage',
    searchOf({ copy: text }),
  ),
  layout: page('/carriers/layouts/$layoutId', () => import('./layouts/layout-page.tsx'), 'LayoutPage'),
  editLayout: page(
    '/carriers/layouts/$layoutId/edit',
    () => import('./layouts/edit-layout-page.tsx'),
    'EditLayoutPage',
  ),
  requirementRules: page(
    '/requirements',
    () => import('./requirements/rules-page.tsx'),
    'RulesPage',
    searchOf({ carrier: text }),
  ),
  newRequirementRule: page('/requirements/new', () => import('./requirements/new-rule-page.tsx'), 'NewRulePage'),
  requirementRule: page('/requirements/$ruleId', () => import('./requirements/edit-rule-page.tsx'), 'EditRulePage'),
}
