import type { District, Step } from '#platform/http/district.ts'
import { traced } from '#platform/http/context.ts'
import { counted } from '#platform/steps/attempts.ts'
import { reportAgeingOut } from './ageing-out/report.ts'
import { deleteExpiredJobs, processDecisionJob } from './decide/job.ts'
import { processItems } from './kinds.ts'
import { expireInvitations } from './onboarding/invitations.ts'
import { publicOnboardingRoutes } from './onboarding/public-routes.ts'
import { inclusionRoutes } from './include/routes.ts'
import { exclusionRoutes } from './exclude/routes.ts'
import { exclusionBatchRoutes } from './exclude/batch-routes.ts'
import { alterationBatchRoutes } from './alter/batch-routes.ts'
import { alterationRoutes } from './alter/routes.ts'
import { answerRoutes } from './answer/routes.ts'
import { cancelRoutes } from './cancel/routes.ts'
import { requestListRoutes, requestReadRoutes, requestRoutes } from './requests/routes.ts'
import { evidenceRoutes } from './intake/routes.ts'
import { endExtendedRoutes } from './end-extended/routes.ts'
import { onboardingRoutes } from './onboarding/routes.ts'
import { continuationCalculationRoutes, operatorCalculationRoutes } from './continue/calculate-routes.ts'
import { continuationActRoutes } from './continue/routes.ts'
import { waiverRoutes } from './queue/waiver-routes.ts'
import { enrollmentQueueRoutes } from './queue/routes.ts'
import { deleteFormerPresence } from './presence/queries.ts'
import { presenceRoutes } from './presence/routes.ts'
import { viewRoutes } from './views/routes.ts'
import { transitionRoutes } from './decide/routes.ts'
import { queuedMovementRoutes } from './queue/movement-routes.ts'
import { deadlineRoutes } from './queue/deadline-routes.ts'
import { decisionRoutes } from './decide/file-routes.ts'
import { decisionJobRoutes } from './decide/job-routes.ts'
import { correctionRoutes } from './correct-benefit/routes.ts'
import { expireDrafts } from './drafts/expire.ts'
import { processDraft } from './drafts/process.ts'
import { movementDraftRoutes } from './drafts/routes.ts'
import { draftOfMany } from './drafts/second-person.ts'
import { rosterFileStep } from './rosters/read.ts'
import { rosterSyncRoutes } from './rosters/routes.ts'
import { draftExclusionRoutes } from './draft-exclusions/routes.ts'
import { ageingOutRoutes } from './ageing-out/routes.ts'
import { operatorAlterationRoutes } from './operator-alterations/routes.ts'
import { importListRoute, importRoutes } from './imports/routes.ts'
import { columnProfileRoutes, partnerProfileRoutes } from './imports/column-profile-routes.ts'
import { rosterPolicyRoutes } from './roster-policy/routes.ts'
import { tableRoutes } from './imports/table-routes.ts'
import { templateRoutes } from './imports/template-routes.ts'

const hour = 3_600_000

const batch: Step = (context, tx, { company, targetId }) => processItems(context, tx, company(), targetId)

export const movements = {
  routes: [
    inclusionRoutes,
    exclusionRoutes,
    (app, context) => exclusionBatchRoutes(app, context, draftOfMany),
    alterationBatchRoutes,
    alterationRoutes,
    answerRoutes,
    cancelRoutes,
    requestRoutes,
    requestListRoutes,
    endExtendedRoutes,
    onboardingRoutes,
    continuationCalculationRoutes,
    operatorCalculationRoutes,
    continuationActRoutes,
    waiverRoutes,
    enrollmentQueueRoutes,
    viewRoutes,
    presenceRoutes,
    transitionRoutes,
    queuedMovementRoutes,
    deadlineRoutes,
    decisionRoutes,
    decisionJobRoutes,
    correctionRoutes,
    draftExclusionRoutes,
    movementDraftRoutes,
    rosterSyncRoutes,
    rosterPolicyRoutes,
    ageingOutRoutes,
    operatorAlterationRoutes,
    requestReadRoutes,
    evidenceRoutes,
    importListRoute,
    columnProfileRoutes,
    importRoutes,
    tableRoutes,
    templateRoutes,
    partnerProfileRoutes,
    publicOnboardingRoutes,
  ],
  tasks: [
    {
      kind: 'task-ageing-out',
      everyMs: hour,
      errorMessage: 'the dependents who become too old could not be reported',
      run: (context, signal) =>
        traced(context, 'worker ageing', () => reportAgeingOut(context, signal, counted(context))),
    },
    {
      kind: 'task-invitations',
      everyMs: hour,
      errorMessage: 'onboarding invitations could not be ended',
      run: (context, signal) => traced(context, 'worker onboarding', () => expireInvitations(context, signal)),
    },
    {
      kind: 'task-movement-drafts',
      everyMs: hour,
      errorMessage: 'movement drafts could not be ended',
      run: (context, signal) => traced(context, 'worker movement drafts', () => expireDrafts(context, signal)),
    },
    {
      kind: 'task-decision-jobs',
      everyMs: hour,
      errorMessage: 'old jobs of decisions, and who had a movement open, could not be deleted',
      run: async ({ database }) => {
        await deleteExpiredJobs(database)
        await deleteFormerPresence(database)
      },
    },
  ],
  steps: {
    inclusion: batch,
    exclusion: batch,
    alteration: batch,
    'movement-draft': (context, tx, { company, targetId }) => processDraft(context, tx, company(), targetId),
    decision: (context, tx, { targetId, failures }) => processDecisionJob(context, tx, targetId, failures),
  },
  fileSteps: { 'roster-sync': rosterFileStep },
} as const satisfies District
