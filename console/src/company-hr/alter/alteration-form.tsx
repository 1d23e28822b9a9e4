import { Stack, Text, Title } from '@mantine/core'
import type { Company, MemberDetail, RequestBody } from '@vigencia/client'
import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ButtonLink } from '../../components/link.tsx'
import { BatchReview, focusFirstError } from '../../entities/company-hr/batch-review.tsx'
import { companyApi } from '../../entities/company-hr/client.ts'
import type { Value as FieldData } from '../../entities/company-hr/field-types.ts'
import { documentsOf, NeededDocuments, useRequirements } from '../../entities/company-hr/needed-documents.tsx'
import type { SentDocument } from '../../entities/company-hr/document-item.tsx'
import { OtherOffenses } from '../../entities/company-hr/other-offenses.tsx'
import type { FieldOffense } from '../../entities/company-hr/offenses.ts'
import { RequestOutcome } from '../../entities/company-hr/request-outcome.tsx'
import { useBatch } from '../../entities/company-hr/use-batch.ts'
import { LeaveQuestion } from '../../forms/leave-question.tsx'

type Body = RequestBody<'alterMembers'>

/**
 * What is the same of a correction and of a change of plan: the documents, the check and the sending.
 * @param props.data of the alteration; empty: nothing is altered yet.
 * @param props.shown the fields that have an input.
 * @param props.children the inputs: what is wrong with them, and what to call when one changes.
 */
export function AlterationForm(props: {
  readonly member: MemberDetail
  readonly company: Company
  readonly data: Readonly<Record<string, Exclude<FieldData, null>>>
  readonly shown: readonly string[]
  readonly summary: ReactNode
  readonly children: (offenses: readonly FieldOffense[], changed: () => void) => ReactNode
}) {
  const { t } = useTranslation('hr')
  const { member, company, data, shown, summary, children } = props
  const [documents, setDocuments] = useState<readonly SentDocument[]>([])
  const [isDirty, setDirty] = useState(false)
  const [isEmpty, setEmpty] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const batch = useBatch(
    (body: Body, options) => companyApi.alterations.createBatch(body, options),
    'alteration',
    () => focusFirstError(form.current),
  )
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
  if (batch.requestId !== undefined) {
    return (
      <RequestOutcome requestId={batch.requestId} names={new Map([[taxId, member.profile.name]])}>
        <ButtonLink to="/hr/people/$memberId" params={{ memberId: member.id }}>
          {t('backToPerson')}
        </ButtonLink>
      </RequestOutcome>
    )
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
      <LeaveQuestion isDirty={() => isDirty && batch.requestId === undefined} />
    </form>
  )
}
