import type { RequestBody } from '@vigencia/client'
import { useMemo } from 'react'
import { api } from '../../api/client.ts'
import type { MovementClient, SendOptions } from '../../entities/movement-forms/client.ts'
import type { Judged } from '../../entities/movement-forms/use-batch.ts'
import { useIdempotencyKey } from '../../entities/movement-forms/use-idempotency-key.ts'
import { intakeErrorsOf, type IntakeState, sentIntake } from './intake.ts'

/** Whether an exclusion of many became a movement draft, which the response is then. */
const isDraft = (answer: object): boolean =>
  'result' in answer && typeof answer.result === 'object' && answer.result !== null && 'draft-id' in answer.result

/** The movements of operators: the operator API, with how the request came. */
export function useOperatorMovements({ current, change }: IntakeState): MovementClient {
  const keyOf = useIdempotencyKey()
  return useMemo(() => {
    /** The ids of the evidence: a document belongs to one request, each of the same message gets its own. */
    const evidenceIds = async (): Promise<readonly string[]> => {
      const evidence = []
      for (const one of current().evidence) {
        evidence.push({ ...one, id: one.id ?? (await api.documents.upload(one.file))['document-id'] })
      }
      change({ evidence })
      return evidence.map(({ id }) => id)
    }
    /** @param create is called with the body of the batch and the intake. */
    const send =
      <Body extends object, Sent, Answer>(create: (body: Sent, options: SendOptions) => Promise<Answer>) =>
      async (body: Body, options: SendOptions): Promise<Answer> => {
        const documents = await evidenceIds()
        const whole = { ...body, intake: sentIntake(current(), documents) }
        const { idempotencyKey, ...others } = options
        try {
          // The key is that of all that is sent: what was mended in the intake is another body.
          const answer = await create(
            whole as unknown as Sent,
            idempotencyKey === undefined ? others : { ...others, idempotencyKey: keyOf(whole) },
          )
          if (options['dry-run'] === undefined) {
            change({ evidence: current().evidence.map((one) => ({ ...one, id: null })) })
          }
          return answer
        } catch (error) {
          const errors = intakeErrorsOf(error)
          if (Object.keys(errors).length > 0) change({ errors })
          throw error
        }
      }
    const { inclusions, exclusions, alterations, documents, operations } = api
    return {
      include: send((body: RequestBody<'includeMembersOfCompany'>, options) => inclusions.create(body, options)),
      exclude: send(async (body: RequestBody<'excludeMembersOfCompany'>, options) => {
        const answer: Judged = await exclusions.create(body, options)
        return isDraft(answer) ? { approval: 'second-operator' } : answer
      }),
      alter: send((body: RequestBody<'alterMembersOfCompany'>, options) => alterations.createBatch(body, options)),
      upload: (file) => documents.upload(file),
      listRequirements: async (query, options) =>
        (await operations.request('listRequirementsOfCompany', { query, options })).result,
      readMember: async (id, options) => {
        const query = { disclose: true }
        return (await operations.request('readAnyMember', { path: [id], query, options })).result
      },
    }
  }, [change, current, keyOf])
}
