import { Alert, List, Radio, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import type { Company, MemberDetail, RequestBody } from '@vigencia/client'
import { type FormEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { EXCLUSION_REASONS } from '../../../../src/kernel/enums.ts'
import { BatchReview, focusFirstError } from './batch-review.tsx'
import { useMovementClient } from './client.ts'
import { type Values, written } from './field-types.ts'
import { documentsOf, NeededDocuments, useRequirements } from './needed-documents.tsx'
import type { SentDocument } from './document-item.tsx'
import { OtherOffenses } from './other-offenses.tsx'
import { textOf } from './offenses.ts'
import { RegistrationInput } from './registration-input.tsx'
import { type Sent, useBatch } from './use-batch.ts'
import { Value } from '../../components/value.tsx'
import { formatDate, businessDate } from '../../format/date.ts'
import { useDropKept, useKept } from '../../forms/kept-draft.tsx'
import { LeaveQuestion } from '../../forms/leave-question.tsx'
import { useLeavingWith } from './leaving-with.ts'
import { extensionOf, fieldsOf } from './reason-fields.ts'

type Benefit = MemberDetail['benefits'][number]
type Body = RequestBody<'excludeMembers'>

const everything = 'everything'

/** What ends, when, why, and who goes too. */
export function ExcludeForm(props: {
  readonly member: MemberDetail
  readonly company: Company
  readonly active: readonly Benefit[]
  readonly sent: Sent
}) {
  const { t } = useTranslation(['hr', 'terms'])
  const { member, company, active, sent } = props
  const { exclude } = useMovementClient()
  const [what, setWhat] = useKept('what', () => everything)
  const [values, setValues] = useKept<Values>('values', () => ({ 'end-date': businessDate() }))
  const [documents, setDocuments] = useKept<readonly SentDocument[]>('documents', () => [])
  const [isDirty, setDirty] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const batch = useBatch(exclude, 'exclusion', () => focusFirstError(form.current))
  const drop = useDropKept(batch.accepted !== null || batch.isDraft)
  const reason = EXCLUSION_REASONS.find((one) => one === values['exclusion-reason']) ?? null
  const benefits = what === everything ? active : active.filter((benefit) => benefit['benefit-id'] === what)
  const leaving = useLeavingWith(member, company, benefits)
  const wanted = useRequirements(
    benefits.map((benefit) => ({
      'company-tax-id': company['tax-id'],
      'product-id': benefit['product-id'],
      movement: 'exclusion',
      'beneficiary-type': benefit.type,
      'dependent-type': benefit['dependent-type'] ?? undefined,
      'exclusion-reason': reason ?? undefined,
    })),
  )
  const hadRetired = String(values['keeps-working-after-retirement']) === 'true'
  const fields = ['exclusion-reason', 'end-date', ...fieldsOf(reason, hadRetired)]
  const given = Object.fromEntries(Object.entries(values).filter(([field]) => fields.includes(field)))
  const taxId = member.profile['tax-id']
  const body = {
    'company-tax-id': company['tax-id'],
    members: [
      {
        'tax-id': taxId,
        ...(what === everything ? {} : { 'benefit-id': what }),
        'exclusion-details': {
          ...written(given),
          ...extensionOf(given['option']),
          ...(documents.length === 0 ? {} : { documents: documentsOf(documents) }),
        },
      },
    ],
  } as unknown as Body
  const changed = () => {
    setDirty(true)
    batch.reset()
  }
  if (batch.accepted !== null) {
    const people = [{ taxId, name: member.profile.name }, ...leaving]
    return sent(batch.accepted, new Map(people.map((one) => [one.taxId, one.name])))
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    batch.judge(body)
  }
  const others = batch.offenses.filter(({ field }) => !fields.includes(field))
  return (
    <form ref={form} onSubmit={submit} noValidate>
      <Stack gap="md">
        <Radio.Group
          label={t('hr:whatEnds')}
          value={what}
          onChange={(next) => {
            setWhat(next)
            changed()
          }}
        >
          <Stack gap={6} mt={4}>
            <Radio value={everything} label={t('hr:everything')} />
            {active.length > 1 &&
              active.map((benefit) => (
                <Radio
                  key={benefit['benefit-id']}
                  value={benefit['benefit-id']}
                  label={
                    <Value>
                      {benefit['product-name']} · {benefit['carrier-name']}
                    </Value>
                  }
                />
              ))}
          </Stack>
        </Radio.Group>
        <LeavingWith leaving={leaving} />
        <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="sm" verticalSpacing="xs">
          {fields.map((field) => (
            <RegistrationInput
              key={field}
              name={field}
              required={field === 'exclusion-reason' || field === 'end-date' || field === 'exclusion-reason-details'}
              value={values[field] ?? null}
              error={textOf(batch.offenses, field)}
              onChange={(value) => {
                setValues((former) => ({ ...former, [field]: value }))
                changed()
              }}
            />
          ))}
        </SimpleGrid>
        {fields.includes('option') && <Text size="sm">{t('hr:continuation')}</Text>}
        <section>
          <Title order={2} size="h5" mb={4}>
            {t('hr:documents')}
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
        <BatchReview batch={batch} nameOf={() => member.profile.name} onSend={() => batch.send(body)}>
          <Text size="sm">
            <Value>
              {[member.profile.name, ...leaving.map(({ name }) => name)].join(', ')} ·{' '}
              {benefits.map((benefit) => benefit['product-name']).join(', ')}
            </Value>
          </Text>
          <Text size="sm">{t('hr:lastDay', { date: formatDate(String(values['end-date'] ?? '')) })}</Text>
        </BatchReview>
      </Stack>
      <LeaveQuestion isDirty={() => isDirty && batch.accepted === null && !batch.isDraft} onLeave={drop} />
    </form>
  )
}

function LeavingWith({ leaving }: { readonly leaving: ReturnType<typeof useLeavingWith> }) {
  const { t } = useTranslation(['hr', 'terms', 'review'])
  if (leaving.length === 0) return null
  return (
    <Alert color="orange" variant="default" title={t('hr:leavingWith')} p="xs">
      <List size="sm">
        {leaving.map(({ id, name, relation }) => (
          <List.Item key={id} translate="no">
            {t('review:leaves', { name, relation: t(`terms:dependentType.${relation}`).toLowerCase() })}
          </List.Item>
        ))}
      </List>
    </Alert>
  )
}
