import { findClosingOf } from '../months/queries.ts'
import { requireCompany } from '#registry/companies/queries.ts'
import { checklistOf, type ListedMonth } from '../rules/closing.ts'
import { json } from '#platform/http/bodies.ts'
import type { App, Context } from '#platform/http/context.ts'
import { resource } from '#platform/http/resource.ts'
import { route } from '#platform/http/route.ts'
import { errorResponses } from '#platform/http/schemas.ts'
import { mayReadMoney } from '../prices/put.ts'
import { closingPage, readClosing, readMonth } from './queries.ts'
import { ChecklistQuery, ChecklistResponse, CloseBody, ClosingQuery, ReopenBody, Closing } from './schema.ts'
import { closeMonth, mayClose, reopenMonth } from './write.ts'

const ofMonth = '--company-tax-id 12.ABC.345/01DE-35 --reference-month 2026-11'

/** `/operator/v1/closing`: the months of companies that are closed. */
export async function closingRoutes(app: App, context: Context): Promise<void> {
  const closing = resource(app, context, {
    noun: 'closing',
    mayRead: mayReadMoney,
    mayWrite: mayClose,
    item: Closing,
    read: readClosing,
    columns: {
      'CLOSING-ID': 'closing-id',
      COMPANY: 'company-name',
      MONTH: 'reference-month',
      STATUS: 'status',
      'UPDATED-AT': 'updated-at',
    },
  })

  closing.create({
    operationId: 'closeMonth',
    name: 'close',
    summary: 'Close a month of a company',
    description:
      'Its comparisons are closed, and nothing that its figures follow from is written: files, links, discrepancies, price tables, contribution rules. ' +
      'The expected invoices and the costs of the month are stored as they are. What is not done asks for a `reason`.',
    cli: { examples: { [`closing close ${ofMonth}`]: 'when all is done' } },
    errors: ['company-not-found', 'month-closed', 'closing-open-items', 'carrier-file-status', 'reconciliation-status'],
    body: json(CloseBody),
    run: (actor, body) => closeMonth(context, actor, body),
  })
  closing.act('reopen', {
    operationId: 'reopenMonth',
    roles: [],
    summary: 'Open a closed month again',
    description: 'For admins, with a reason. The comparisons of the month are open again.',
    cli: {
      examples: {
        'closing reopen 01995e0f-5e41-7f55-8066-910213243546 --reason "Fatura reemitida"': 'as admin',
      },
    },
    errors: ['month-open'],
    body: json(ReopenBody),
    run: (actor, id, { reason }) => reopenMonth(context, actor, id, reason.trim()),
  })
  closing.list({
    summary: 'List the months that were closed',
    description: 'The latest month first, also those that were opened again.',
    cli: { ids: 'closing-id' },
    query: ClosingQuery,
    page: closingPage,
  })
  checklistRoute(app, context)
  closing.get({
    summary: 'Read a closing',
    description: 'With who closed it and opened it again, why, and the figures.',
  })
}

function checklistRoute(app: App, { database }: Context): void {
  route(app, {
    method: 'GET',
    url: '/operator/v1/closing/checklist',
    api: 'operator',
    roles: mayReadMoney,
    schema: {
      operationId: 'readClosingChecklist',
      'x-sdk': 'closings.checklist',
      'x-cli': {
        command: 'closing checklist',
        examples: { [`closing checklist ${ofMonth}`]: 'before closing' },
      },
      summary: 'Read what is to be done before a month is closed',
      description:
        'For each contract: rosters and invoices that were compared, which invoices count, open discrepancies, claims that were not sent. Of a closed month as it was when it was closed.',
      querystring: ChecklistQuery,
      response: { 200: ChecklistResponse, ...errorResponses('company-not-found') },
    },
    handler: async ({ query }) => {
      const month = query['reference-month']
      const companyId = await requireCompany(database, query['company-tax-id'])
      const closing = await findClosingOf(database, companyId, month)
      const contracts = closing?.figures?.contracts ?? (await readMonth(database, companyId, month))
      const status = closing?.status ?? 'open'
      const checklist = checklistOf(contracts, status)
      const id = closing?.id ?? null
      return { result: { ...query, 'closing-id': id, status, checklist, contracts: contracts.map(shownMonth) } }
    },
  })
}

function shownMonth(contract: ListedMonth) {
  const { roster, invoice } = checklistOf([contract], 'open')
  return {
    'contract-id': contract.contractId,
    'carrier-name': contract.carrierName,
    'contract-number': contract.contractNumber,
    'sub-contract': contract.subContract,
    roster,
    'open-roster-discrepancies': contract.roster?.openDiscrepancies ?? 0,
    invoice,
    ...(contract.invoices !== undefined && { invoices: [...contract.invoices] }),
    'open-invoice-discrepancies': contract.invoice?.openDiscrepancies ?? 0,
    'draft-claims': contract.draftClaims,
    'carrier-total': contract.carrierTotal,
    'expected-total': contract.expectedTotal,
    discrepancy: contract.discrepancy,
    'claimed-total': contract.claimedTotal,
  }
}
