import type { District } from '#platform/http/district.ts'
import { traced } from '#platform/http/context.ts'
import { counted } from '#platform/steps/attempts.ts'
import { carrierFileStep } from './carrier-files/process.ts'
import { processReconciliation } from './reconciliations/process.ts'
import { processAcknowledgement, retryWaiting } from './shipments/acknowledge.ts'
import { readAnswerFiles } from './shipments/answer-files.ts'
import { deliverDue } from './shipments/deliver.ts'
import { reportMissedCutOffs } from './shipments/missed-cut-offs.ts'
import { processShipment } from './shipments/send.ts'
import { channelSettingsRoutes } from './channels/routes.ts'
import { shipmentRoutes } from './shipments/routes.ts'
import { layoutPreviewRoute } from './layout-previews/routes.ts'
import { carrierFileRoutes } from './carrier-files/routes.ts'
import { reconciliationRoutes } from './reconciliations/routes.ts'
import { companyDiscrepancyRoutes } from './reconciliations/partner-routes.ts'
import { trendRoutes } from './reconciliations/trend-routes.ts'

const second = 1_000
const hour = 3_600_000

export const exchange = {
  routes: [
    channelSettingsRoutes,
    shipmentRoutes,
    layoutPreviewRoute,
    carrierFileRoutes,
    reconciliationRoutes,
    companyDiscrepancyRoutes,
    trendRoutes,
  ],
  tasks: [
    {
      kind: 'task-acceptances',
      everyMs: 5 * second,
      errorMessage: 'movements that a carrier accepted before their primaries could not be completed',
      run: (context, signal) =>
        traced(context, 'worker acknowledgements', () => retryWaiting(context, signal, counted(context))),
    },
    {
      kind: 'task-deliveries',
      everyMs: second,
      errorMessage: 'shipments could not be delivered',
      run: (context, signal, slots) => deliverDue(context, signal, slots),
    },
    {
      kind: 'task-answers',
      everyMs: 5 * second,
      errorMessage: 'the answers of carriers could not be read from their servers',
      run: (context, signal, slots) => traced(context, 'worker answers', () => readAnswerFiles(context, signal, slots)),
    },
    {
      kind: 'task-cut-offs',
      everyMs: hour,
      errorMessage: 'movements that missed a cut-off could not be reported',
      run: (context, signal) =>
        traced(context, 'worker cut-offs', () => reportMissedCutOffs(context, context.today(), signal)),
    },
  ],
  steps: {
    acknowledgement: (context, tx, { targetId, failures }) => processAcknowledgement(context, tx, targetId, failures),
    shipment: (context, tx, { targetId }) => processShipment(context, tx, targetId),
    reconciliation: (context, tx, { company, targetId }) => processReconciliation(context, tx, company(), targetId),
  },
  fileSteps: { 'carrier-file': carrierFileStep },
} as const satisfies District
