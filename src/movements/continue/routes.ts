import { readAnyContinuation } from '#coverage/continuations/queries.ts'
import { EndBody, NewContinuationBody, NoticeBody, OptionBody, Continuation } from '#coverage/continuations/schema.ts'
import { json } from '#platform/http/bodies.ts'
import type { App, Context } from '#platform/http/context.ts'
import { resource } from '#platform/http/resource.ts'
import { answerContinuation, createContinuation, endContinuation, mayContinue, offerContinuation } from './acts.ts'

const example = '01995e0d-1b21-7c33-8d44-5e6f70819203'

/** What operators do with continuations. */
export async function continuationActRoutes(app: App, context: Context): Promise<void> {
  const continuation = resource(app, context, {
    noun: 'continuation',
    mayRead: mayContinue,
    mayWrite: mayContinue,
    item: Continuation,
    read: (sql, id) => readAnyContinuation(sql, context.today(), id),
  })
  continuation.create({
    summary: 'Record that a person who leaves may keep the plan',
    description:
      'Of a benefit that has none: it waits for the employer’s notice, or with `notice-date` for the answer. An exclusion with `extension-plan` ' +
      'and the items of RN 488 records it by itself.',
    cli: {
      examples: {
        'continuation create --benefit-id 01995e0c-7012-7b1f-9d55-1f0a2e3b4c5d --ground dismissal --contribution-months 40 --leaving-date 2026-11-30':
          'the benefits stay until the person answers',
      },
    },
    errors: ['date-out-of-range', 'benefit-not-found', 'continuation-exists', 'continuation-not-eligible'],
    body: json(NewContinuationBody),
    run: (actor, body) => createContinuation(context, actor, body),
  })
  continuation.act('offer', {
    path: 'notice',
    summary: 'Record the employer’s notice',
    description:
      'The person answers within 30 days from it (RN 488 art. 10); a later notice corrects it while there is no answer.',
    cli: {
      examples: {
        [`continuation offer ${example} --notice-date 2026-11-25`]: 'the person has 30 days from then',
        [`continuation offer ${example} --notice-date 2026-11-25 --prices '{"age-band":"0-18","amount":"412.35"}' '{"age-band":"19-23","amount":"498.10"}'`]:
          'with the prices of the notice',
      },
    },
    errors: ['date-out-of-range', 'continuation-status'],
    body: json(NoticeBody),
    run: (actor, id, body) => offerContinuation(context, actor, id, body),
  })
  continuation.act('answer', {
    path: 'option',
    summary: 'Record what the person answered',
    description:
      '`accepted`: the benefits of the family go on without an end date, as with `extension-plan`. `declined`: the draft of an exclusion is ' +
      'proposed, which a person confirms.',
    cli: {
      examples: {
        [`continuation answer ${example} --option accepted --option-date 2026-12-10`]: 'the family keeps the plan',
      },
    },
    errors: ['date-out-of-range', 'continuation-status'],
    body: json(OptionBody),
    run: (actor, id, body) => answerContinuation(context, actor, id, body),
  })
  continuation.act('end', {
    summary: 'End the right to keep a plan',
    description:
      'Ends the benefits of the family on that day. A new job counts where it gives access to a plan (Lei 9.656 art. 30 § 5). The death of the ' +
      'primary ends nothing for the family, and a change of the plan or the carrier neither ends nor restarts the term.',
    cli: {
      examples: {
        [`continuation end ${example} --reason new-job --end-date 2027-03-31`]: 'and the benefits of the family',
      },
    },
    errors: ['before-start-date', 'date-out-of-range', 'continuation-status', 'benefit-not-under-extension-plan'],
    body: json(EndBody),
    run: (actor, id, body) => endContinuation(context, actor, id, body),
  })
}
