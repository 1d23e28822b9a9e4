import { changeClient, redeliver, serveSubject, signIn } from './access-sequences.ts'
import {
  continueBenefits,
  decideDrafts,
  documentInclusion,
  endExtension,
  moveFamily,
  onboard,
} from './family-sequences.ts'
import { askTheBroker, requestAsOperator } from './intake-sequences.ts'
import { correctRoster, editLayout, payInvoice, payMonth, ship } from './money-sequences.ts'
import type { Sequence } from './sequence.ts'

/**
 * What is sent in turn between the random requests. Only `advanceDemoClock` can never get a 2xx: it needs demo data, which a fuzzed
 * service has none of.
 */
export const sequences: readonly Sequence[] = [
  continueBenefits,
  payMonth,
  signIn,
  serveSubject,
  moveFamily,
  decideDrafts,
  documentInclusion,
  onboard,
  correctRoster,
  ship,
  changeClient,
  editLayout,
  endExtension,
  redeliver,
  payInvoice,
  requestAsOperator,
  askTheBroker,
]
