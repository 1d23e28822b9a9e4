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

interface WithKey {
  readonly idempotencyKey?: string
}

/** How what an operator sends comes with the intake that is typed. */
export function useWithIntake({ current, change }: IntakeState) {
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
    /** @param create is called with the body and the intake. */
    return <Body extends object, Sent, Options extends WithKey, Answer>(
      create: (body: Sent, options: Options) => Promise<Answer>,
    ) =>
      async (body: Body, options: Options): Promise<Answer> => {
        const documents = await evidenceIds()
        const whole = { ...body, intake: sentIntake(current(), documents) }
        try {
          // The key is that of all that is sent: what was mended in the intake is another body.
          const isSent = options.idempotencyKey !== undefined
          const answer = await create(
            whole as unknown as Sent,
            isSent ? { ...options, idempotencyKey: keyOf(whole) } : options,
          )
          if (!('dry-run' in options)) {
            change({ evidence: current().evidence.map((one) => ({ ...one, id: null })) })
          }
          return answer
        } catch (error) {
          const errors = intakeErrorsOf(error)
          if (Object.keys(errors).length > 0) change({ errors })
          throw error
        }
      }
  }, [change, current, keyOf])
}

/** The movements of operators: the operator API, with how the request came. */
export function useOperatorMovements(intake: IntakeState): MovementClient {
  const send = useWithIntake(intake)
  return useMemo(() => {
    const { inclusions, exclusions, alterations, documents, operations } = api
    return {
      include: send((body: RequestBody<'includeMembersOfCompany'>, options: SendOptions) =>
        inclusions.create(body, options),
      ),
      exclude: send(async (body: RequestBody<'excludeMembersOfCompany'>, options: SendOptions) => {
        const answer: Judged = await exclusions.create(body, options)
        return isDraft(answer) ? { approval: 'second-operator' } : answer
      }),
      alter: send((body: RequestBody<'alterMembersOfCompany'>, options: SendOptions) =>
        alterations.create(body, options),
      ),
      upload: (file) => documents.upload(file),
      listRequirements: async (query, options) =>
        (await operations.request('listRequirementsOfCompany', { query, options })).result,
      readMember: async (id, options) => {
        const query = { disclose: true }
        return (await operations.request('readAnyMember', { path: [id], query, options })).result
      },
    }
  }, [send])
}
