import { useMutation } from '@tanstack/react-query'
import type { Accepted } from '@vigencia/client'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import type { WarningCode } from '../../../../src/kernel/warnings.ts'
import { type FieldOffense, offensesOf } from './offenses.ts'
import { useIdempotencyKey } from './use-idempotency-key.ts'

/** What the service says of a batch, and of a dry run of it. */
export type Judged = Partial<Pick<Accepted<'includeMembers'>, 'request-id'>> &
  Pick<Accepted<'includeMembers'>, 'missing-documents'> & {
    /** A second operator has to confirm it: it would be, or is, a movement draft. */
    readonly approval?: 'second-operator'
    readonly warnings?: readonly {
      readonly index?: number
      readonly warning: WarningCode
      readonly field?: string
      readonly 'tax-id'?: string
      readonly 'product-name'?: string
    }[]
  }

type Create<Body> = (
  body: Body,
  options: { readonly 'dry-run'?: true; readonly idempotencyKey?: string },
) => Promise<Judged>

/** What the service says of what was sent. */
export type AcceptedBatch = Judged & { readonly 'request-id': string }

/** What is shown once it was sent. @param names of its people by CPF. */
export type Sent = (accepted: AcceptedBatch, names: ReadonlyMap<string, string>) => ReactNode

export interface Batch<Body> {
  /** What a dry run of the body said; null until one succeeded, and once the body changed. */
  readonly judged: Judged | null
  readonly accepted: AcceptedBatch | null
  /** Whether it was sent, and a second operator has to confirm it. */
  readonly isDraft: boolean
  readonly error: Error | null
  readonly offenses: readonly FieldOffense[]
  readonly isJudging: boolean
  readonly isSending: boolean
  readonly judge: (body: Body) => void
  readonly send: (body: Body) => void
  /** The body changed. */
  readonly reset: () => void
}

const isAccepted = (answer: Judged | undefined): answer is AcceptedBatch => answer?.['request-id'] !== undefined

/**
 * A batch that is judged by a dry run first and then sent, once: a repetition has the same Idempotency-Key.
 * @param onRefused is called when what there is to mend is rendered.
 */
export function useBatch<Body extends object>(
  create: Create<Body>,
  requestType: 'inclusion' | 'exclusion' | 'alteration',
  onRefused: () => void = () => {},
): Batch<Body> {
  const [judged, setJudged] = useState<Judged | null>(null)
  const keyOf = useIdempotencyKey()
  const judge = useMutation({
    mutationFn: (body: Body) => create(body, { 'dry-run': true }),
    onSuccess: setJudged,
  })
  const send = useMutation({ mutationFn: (body: Body) => create(body, { idempotencyKey: keyOf(body) }) })
  const error = send.error ?? judge.error
  const refused = useEffectEvent(onRefused)
  // An effect runs when the error is rendered, however long that takes.
  useEffect(() => {
    if (error !== null) refused()
  }, [error])
  return {
    judged,
    accepted: isAccepted(send.data) ? send.data : null,
    isDraft: send.data?.approval !== undefined,
    error,
    offenses: offensesOf(error, requestType),
    isJudging: judge.isPending,
    isSending: send.isPending,
    judge: judge.mutate,
    send: send.mutate,
    reset: () => {
      setJudged(null)
      judge.reset()
      send.reset()
    },
  }
}
