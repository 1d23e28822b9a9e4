import { Stack, Text, Title } from '@mantine/core'
import type { Company, MemberDetail, RequestBody } from '@vigencia/client'
import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { BatchReview, focusFirstError } from './batch-review.tsx'
import { useMovementClient } from './client.ts'
import type { Value as FieldData } from './field-types.ts'
import { documentsOf, NeededDocuments, useRequirements } from './needed-documents.tsx'
import type { SentDocument } from './document-item.tsx'
import { OtherOffenses } from './other-offenses.tsx'
import type { FieldOffense } from './offenses.ts'
import { type Sent, useBatch } from './use-batch.ts'
import { useDropKept, useKept } from '../../forms/kept-draft.tsx'
import { LeaveQuestion } from '../../forms/leave-question.tsx'

type Body = RequestBody<'alterMembers'>

export interface AlteredPerson {
  readonly member: MemberDetail
  readonly company: Company
  readonly sent: Sent
}

/**
 * What is the same of a correction and of a change of plan: the documents, the check and the sending.
 * @param props.data of the alteration; empty: nothing is altered yet.
 * @param props.shown the fields that have an input.
 * @param props.children the inputs: what is wrong with them, and what to call when one changes.
 */
export function AlterationForm(
  props: AlteredPerson & {
    readonly data: Readonly<Record<string, Exclude<FieldData, null>>>
    readonly shown: readonly string[]
    readonly summary: ReactNode
    readonly children: (offenses: readonly FieldOffense[], changed: () => void) => ReactNode
  },
) {
  const { t } = useTranslation('hr')
  const { member, company, data, shown, summary, sent, children } = props
  const { alter } = useMovementClient()
  const [documents, setDocuments] = useKept<readonly SentDocument[]>('documents', () => [])
  const [isDirty, setDirty] = useState(false)
  const [isEmpty, setEmpty] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const batch = useBatch(alter, 'alteration', () => focusFirstError(form.current))
  const drop = useDropKept(batch.accepted !== null || batch.isDraft)
  const taxId = member.profile['tax-id']
  const body = {
    'company-tax-id': company['tax-id'],
    members: [
      {
        'tax-id': taxId,
        'alteration-data': {
          ...data,
          ...(documents.length === 0 ? {} : { documents: documentsOf(documents) }),
        },
      },
    ],
  } as Body
  const active = member.benefits.filter(
    (benefit) => benefit['company-tax-id'] === company['tax-id'] && benefit.status === 'active',
  )
  const wanted = useRequirements(
    active.map((benefit) => ({
      'company-tax-id': company['tax-id'],
      'product-id': benefit['product-id'],
      movement: 'alteration',
      'beneficiary-type': benefit.type,
      'dependent-type': benefit['dependent-type'] ?? undefined,
    })),
  )
  const changed = () => {
    setDirty(true)
    setEmpty(false)
    batch.reset()
  }
  if (batch.accepted !== null) {
    return sent(batch.accepted, new Map([[taxId, member.profile.name]]))
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setEmpty(Object.keys(data).length === 0)
    if (Object.keys(data).length > 0) batch.judge(body)
  }
  const others = batch.offenses.filter(({ field }) => !shown.includes(field))
  return (
    <form ref={form} onSubmit={submit} noValidate>
      <Stack gap="md">
        {children(batch.offenses, changed)}
        <section>
          <Title order={2} size="h5" mb={4}>
            {t('documents')}
          </Title>
          <NeededDocuments
            wanted={wanted}
            documents={documents}
            onChange={(next) => {
              setDocuments(next)
              changed()
            }}
          />
        </section>
        <OtherOffenses offenses={others} />
        {isEmpty && (
          <Text size="sm" role="alert" c="var(--mantine-color-error)">
            {t('nothingChanged')}
          </Text>
        )}
        <BatchReview batch={batch} nameOf={() => member.profile.name} onSend={() => batch.send(body)}>
          {summary}
        </BatchReview>
      </Stack>
      <LeaveQuestion isDirty={() => isDirty && batch.accepted === null && !batch.isDraft} onLeave={drop} />
    </form>
  )
}
