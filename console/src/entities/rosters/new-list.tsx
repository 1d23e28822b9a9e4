import './rosters.css'
import {
  Button,
  Checkbox,
  Fieldset,
  Group,
  NativeSelect,
  Progress,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
} from '@mantine/core'
import type { Company } from '@vigencia/client'
import { type FormEvent, lazy, Suspense, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { START_OPTIONS, type StartOption } from '../../../../src/kernel/enums.ts'
import { ROSTER_DOUBTS, type RosterDoubt } from '../../../../src/kernel/roster-syncs.ts'
import { operationQuery } from '../../api/use-operation.ts'
import { DateField } from '../../components/date-field.tsx'
import { ErrorMessage } from '../../components/error-message.tsx'
import { FileDrop } from '../../components/file-drop.tsx'
import { Value } from '../../components/value.tsx'
import { formatBytes } from '../../format/number.ts'
import { LeaveQuestion } from '../../forms/leave-question.tsx'
import { useQuery } from '@tanstack/react-query'
import { type RosterSyncBody, useRosterClient } from './client.ts'
import { type Scope, ScopeFields } from './scope-fields.tsx'
import { statesOf, StatementFields, type Statements } from './statement-fields.tsx'
import { type CreateSync, useSendList } from './use-send-list.ts'

const ListMapping = lazy(() => import('./list-mapping.tsx').then((one) => ({ default: one.ListMapping })))
const maxBytes = 256 * 1024 * 1024

/** The doubts of an address, such as `too-few-people,count-differs`. */
export const doubtsOf = (text: string | undefined): readonly RosterDoubt[] => {
  const named = new Set(text?.split(','))
  return ROSTER_DOUBTS.filter((doubt) => named.has(doubt))
}

/**
 * A list of who should be covered: its file, in what it is complete, and what it is about.
 * @param props.doubts those of a former list, which the sender may answer for.
 */
export function NewList(props: {
  readonly company: Company
  readonly doubts: readonly RosterDoubt[]
  readonly create: CreateSync
  readonly onSent: (id: string) => Promise<void>
}) {
  const { company, doubts } = props
  const { t } = useTranslation(['rosters', 'imports', 'terms'])
  const [file, setFile] = useState<File | null>(null)
  const [isIncomplete, setIncomplete] = useState(false)
  const [statements, setStatements] = useState<Statements>({})
  const [scope, setScope] = useState<Scope>({})
  const [asOf, setAsOf] = useState<string | null>(null)
  const [count, setCount] = useState('')
  const [startOption, setStartOption] = useState<StartOption | ''>('')
  const [reference, setReference] = useState('')
  const [accepted, setAccepted] = useState<readonly RosterDoubt[]>([])
  const [isAutomatic, setAutomatic] = useState(false)
  const [isTried, setTried] = useState(false)
  const isSent = useRef(false)
  const send = useSendList(props.create, async (id) => {
    isSent.current = true
    await props.onSent(id)
  })
  const states = statesOf(statements)
  const isCountWrong = count.trim() !== '' && !/^\d{1,9}$/.test(count.trim())
  const offered = START_OPTIONS.filter((option) =>
    company.products.some((one) => one['allowed-start-options'].includes(option)),
  )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (file === null || states === null || isCountWrong || isIncomplete) return
    const body: RosterSyncBody = {
      'company-tax-id': company['tax-id'],
      states: [...states],
      ...(Object.keys(scope).length > 0 && { within: scope }),
      ...(asOf !== null && { 'as-of': asOf }),
      ...(count.trim() !== '' && { 'people-count': Number(count) }),
      ...(startOption !== '' && { defaults: { 'start-option': startOption } }),
      ...(reference.trim() !== '' && { reference: reference.trim() }),
      ...(accepted.length > 0 && { 'accept-doubts': [...accepted] }),
      ...(isAutomatic && { automatic: true }),
    }
    send.start({ body, file })
  }
  return (
    <Stack gap="md">
      <FileDrop
        label={t('rosters:chooseFile')}
        maxSize={maxBytes}
        disabled={send.isPending}
        onFile={(chosen) => {
          setIncomplete(false)
          setFile(chosen)
        }}
        limit={t('rosters:fileLimit')}
        refused={t('rosters:refusedFile')}
      >
        {t('rosters:dropHere')}
      </FileDrop>
      {file === null && isTried && (
        <Text size="sm" role="alert" c="var(--mantine-color-error)">
          {t('rosters:fileMissing')}
        </Text>
      )}
      {file !== null && (
        <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
          <Value>
            {file.name} · {formatBytes(file.size)}
          </Value>
        </Text>
      )}
      {file !== null && !/\.(?:json|ndjson|jsonl)$/i.test(file.name) && (
        <Suspense>
          <ListMapping
            key={`${file.name} ${file.lastModified} ${file.size}`}
            file={file}
            company={company}
            onIncomplete={setIncomplete}
          />
        </Suspense>
      )}
      {/* The columns have a form of their own. */}
      <form onSubmit={submit}>
        <Stack gap="md">
          <Fieldset legend={t('rosters:complete')}>
            <Text size="sm" c="dimmed" mb="sm">
              {t('rosters:completeHelp')}
            </Text>
            <StatementFields statements={statements} isTried={isTried} onChange={setStatements} />
          </Fieldset>
          <ScopeFields company={company} scope={scope} onChange={setScope} />
          <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="sm" verticalSpacing="xs">
            <DateField label={t('rosters:asOf')} description={t('rosters:asOfHelp')} value={asOf} onChange={setAsOf} />
            <TextInput
              label={t('rosters:peopleCount')}
              description={t('rosters:peopleCountHelp')}
              inputMode="numeric"
              autoComplete="off"
              value={count}
              error={isCountWrong ? t('rosters:wrongCount') : undefined}
              onChange={({ currentTarget: { value } }) => setCount(value)}
            />
            <NativeSelect
              label={t('rosters:startOption')}
              description={t('rosters:startOptionHelp')}
              value={startOption}
              data={[
                { value: '', label: t('rosters:askLater') },
                ...offered.map((value) => ({ value, label: t(`terms:startOption.${value}`) })),
              ]}
              onChange={({ currentTarget: { value } }) =>
                setStartOption(offered.find((option) => option === value) ?? '')
              }
            />
            <TextInput
              label={t('rosters:reference')}
              description={t('rosters:referenceHelp')}
              autoComplete="off"
              maxLength={100}
              value={reference}
              onChange={({ currentTarget: { value } }) => setReference(value)}
            />
          </SimpleGrid>
          {doubts.length > 0 && (
            <Checkbox.Group
              label={t('rosters:acceptDoubts')}
              description={t('rosters:acceptDoubtsHelp')}
              value={[...accepted]}
              onChange={(values) => setAccepted(doubts.filter((doubt) => values.includes(doubt)))}
            >
              <Stack gap={6} mt={6}>
                {doubts.map((doubt) => (
                  <Checkbox key={doubt} value={doubt} label={t(`terms:rosterDoubt.${doubt}`)} />
                ))}
              </Stack>
            </Checkbox.Group>
          )}
          <Automatic taxId={company['tax-id']} isChecked={isAutomatic} onChange={setAutomatic} />
          {send.error !== null && <ErrorMessage error={send.error} />}
          {send.isPending ? (
            <Uploading fraction={send.fraction} onAbort={send.abort} />
          ) : (
            <Group>
              <Button type="submit" disabled={isIncomplete}>
                {t('rosters:send')}
              </Button>
              <Text size="sm" c="dimmed">
                {t('rosters:sendHelp')}
              </Text>
            </Group>
          )}
        </Stack>
      </form>
      <LeaveQuestion isDirty={() => file !== null && !isSent.current} />
    </Stack>
  )
}

/** What may be confirmed without anybody, where the company has that. */
function Automatic(props: {
  readonly taxId: string
  readonly isChecked: boolean
  readonly onChange: (isChecked: boolean) => void
}) {
  const { t } = useTranslation(['rosters', 'terms'])
  const { client, operations } = useRosterClient()
  const policy = useQuery(operationQuery(operations.policy, { path: [props.taxId] }, client))
  const classes = policy.data?.result.automatic ?? []
  if (classes.length === 0) return null
  return (
    <Checkbox
      label={t('rosters:automatic')}
      description={classes.map((one) => t(`terms:draftClass.${one}`)).join(', ')}
      checked={props.isChecked}
      onChange={({ currentTarget: { checked } }) => props.onChange(checked)}
    />
  )
}

function Uploading({ fraction, onAbort }: { readonly fraction: number; readonly onAbort: () => void }) {
  const { t } = useTranslation(['imports'])
  return (
    <Stack gap={4}>
      <Text size="sm" role="status">
        {t('imports:uploading')}
      </Text>
      <Group wrap="nowrap">
        <Progress.Root flex={1} size="lg">
          <Progress.Section value={fraction * 100} aria-label={t('imports:uploading')} />
        </Progress.Root>
        <Button size="compact-sm" variant="default" onClick={onAbort}>
          {t('imports:abort')}
        </Button>
      </Group>
    </Stack>
  )
}
