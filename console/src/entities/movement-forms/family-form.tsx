import { Button, Group, List, Stack } from '@mantine/core'
import type { Company, MemberDetail } from '@vigencia/client'
import { type FormEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { BatchReview, focusFirstError } from './batch-review.tsx'
import { useMovementClient } from './client.ts'
import { type Sent, useBatch } from './use-batch.ts'
import { Value } from '../../components/value.tsx'
import { plainTaxId } from '../../format/tax-id.ts'
import { useDropKept, useKept } from '../../forms/kept-draft.tsx'
import { LeaveQuestion } from '../../forms/leave-question.tsx'
import { chosenOf, type Draft, memberOf, newDraft } from './drafts.ts'
import { PersonForm } from './person-form.tsx'

/**
 * The form of a family. It is judged first, and sent after what the service says of it was seen; what was written stays until then.
 * @param props.primary of dependents for a person who is covered already.
 * @param props.sent what is shown then, instead of the form.
 */
export function FamilyForm(props: {
  readonly company: Company
  readonly primary: MemberDetail | null
  readonly sent: Sent
}) {
  const { t } = useTranslation('hr')
  const { company, primary, sent } = props
  const { include } = useMovementClient()
  const [drafts, setDrafts] = useKept<readonly Draft[]>('people', () => [
    newDraft(primary === null ? 'primary' : 'dependent'),
  ])
  const [isDirty, setDirty] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const batch = useBatch(include, 'inclusion', () => focusFirstError(form.current))
  const drop = useDropKept(batch.accepted !== null || batch.isDraft)
  const family = { primary, drafts }
  const body = {
    'company-tax-id': company['tax-id'],
    members: drafts.map((draft) => memberOf(draft, family, company)),
  }
  const change = (next: readonly Draft[]) => {
    setDrafts(next)
    setDirty(true)
    batch.reset()
  }
  const nameOf = (index: number) => String(drafts[index]?.values['name'] ?? '')
  if (batch.accepted !== null) {
    const names = new Map(
      drafts.map(({ values }, index) => [plainTaxId(String(values['tax-id'])), nameOf(index)] as const),
    )
    return sent(batch.accepted, names)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    batch.judge(body)
  }
  const ofPrimary = drafts.find(({ type }) => type === 'primary')?.products ?? {}
  return (
    <form ref={form} onSubmit={submit} noValidate>
      <Stack gap="md">
        {drafts.map((draft, index) => (
          <PersonForm
            key={draft.id}
            draft={draft}
            family={family}
            company={company}
            offenses={batch.offenses.filter((one) => one.index === index)}
            onChange={(next) => change(drafts.map((one) => (one.id === next.id ? next : one)))}
            onRemove={
              drafts.length === 1 || draft.type === 'primary'
                ? undefined
                : () => change(drafts.filter((one) => one.id !== draft.id))
            }
          />
        ))}
        <Group>
          <Button variant="default" onClick={() => change([...drafts, newDraft('dependent', ofPrimary)])}>
            {t('addDependent')}
          </Button>
        </Group>
        <BatchReview batch={batch} nameOf={nameOf} onSend={() => batch.send(body)}>
          <List size="sm">
            {drafts.map((draft, index) => (
              <List.Item key={draft.id}>
                <Value>
                  {nameOf(index)} ·{' '}
                  {chosenOf(draft, family, company)
                    .map((product) => product['product-name'])
                    .join(', ')}
                </Value>
              </List.Item>
            ))}
          </List>
        </BatchReview>
      </Stack>
      <LeaveQuestion isDirty={() => isDirty && batch.accepted === null && !batch.isDraft} onLeave={drop} />
    </form>
  )
}
