import type { App, Context } from '#platform/http/context.ts'
import { resource } from '#platform/http/resource.ts'
import { readBenefitForOperator } from './queries.ts'
import { OperatorBenefit } from './schema.ts'

/** What operators do with one benefit. */
export const benefitResource = (app: App, context: Context) =>
  resource(app, context, {
    noun: 'benefit',
    mayRead: ['analyst'],
    mayWrite: ['analyst'],
    item: OperatorBenefit,
    read: readBenefitForOperator,
  })
