import { Button, Fieldset, Group, NativeSelect, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { ApiError } from '@vigencia/client'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { INTAKE_MEDIA } from '../../../../src/kernel/broker-enums.ts'
import { DateField } from '../../components/date-field.tsx'
import { errorWords } from '../../components/error-words.ts'
import { FileDrop } from '../../components/file-drop.tsx'
import { Value } from '../../components/value.tsx'
import { useMovementClient } from '../../entities/movement-forms/client.ts'
import { parseTime } from '../../format/parse-time.ts'
import { formatBytes } from '../../format/number.ts'
import { isTyping } from '../../components/is-typing.ts'
import { type Evidence, type IntakeState } from './intake.ts'

const maxMegabytes = 20
const maxEvidence = 20
const accepted = {
  'application/pdf': ['.pdf'],
  'image/*': ['.jpg', '.jpeg', '.png', '.tif', '.tiff', '.heic', '.webp'],
}

/**
 * How the request came, typed once for all movements of one message.
 * @param props.onDone Enter was pressed in a field: the work goes on below.
 */
export function IntakePanel({ state, onDone }: { readonly state: IntakeState; readonly onDone: () => void }) {
  const { t } = useTranslation('intake')
  const { intake, change, clear } = state
  const { errors } = intake
  const panel = useRef<HTMLFieldSetElement>(null)
  const [isTimeLeft, setTimeLeft] = useState(false)
  const hasErrors = Object.keys(errors).length > 0
  useEffect(() => {
    if (hasErrors) panel.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [hasErrors])
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.ctrlKey || event.metaKey || !isTyping(event.target)) return
    event.preventDefault()
    onDone()
  }
  const isTimeWrong = isTimeLeft && intake.time.trim() !== '' && parseTime(intake.time) === null
  return (
    <Fieldset legend={t('title')} ref={panel} onKeyDown={press}>
      <SimpleGrid cols={{ base: 1, xs: 2, md: 5 }} spacing="sm" verticalSpacing="xs">
        <NativeSelect
          label={t('medium')}
          required
          value={intake.medium}
          error={errors['medium']}
          data={[{ value: '', label: '' }, ...INTAKE_MEDIA.map((one) => ({ value: one, label: t(`media.${one}`) }))]}
          onChange={({ currentTarget: { value } }) =>
            change({ medium: INTAKE_MEDIA.find((one) => one === value) ?? '' })
          }
        />
        <DateField
          label={t('receivedOn')}
          required
          value={intake.day}
          error={errors['received-at']}
          onChange={(day) => change({ day })}
        />
        <TextInput
          label={t('receivedAt')}
          required
          inputMode="numeric"
          autoComplete="off"
          value={intake.time}
          error={isTimeWrong ? t('wrongTime') : undefined}
          onChange={({ currentTarget: { value } }) => {
            setTimeLeft(false)
            change({ time: value })
          }}
          onBlur={() => {
            setTimeLeft(true)
            const time = parseTime(intake.time)
            if (time !== null && time !== intake.time) change({ time })
          }}
        />
        <TextInput
          label={t('requester')}
          required={intake.medium !== 'carrier-portal'}
          autoComplete="off"
          maxLength={200}
          value={intake.name}
          error={errors['requester-name']}
          onChange={({ currentTarget: { value } }) => change({ name: value })}
        />
        <TextInput
          label={t('contact')}
          placeholder={t('contactPlaceholder')}
          autoComplete="off"
          maxLength={200}
          value={intake.contact}
          error={errors['requester-contact']}
          onChange={({ currentTarget: { value } }) => change({ contact: value })}
        />
      </SimpleGrid>
      <EvidenceFiles state={state} />
      {errors['documents'] !== undefined && (
        <Text size="sm" role="alert" c="var(--mantine-color-error)">
          <Value>{errors['documents']}</Value>
        </Text>
      )}
      <Group mt="xs" gap="sm" justify="space-between">
        <Text size="xs" c="dimmed">
          {t('kept')}
        </Text>
        <Button
          variant="default"
          size="xs"
          onClick={() => {
            clear()
            panel.current?.querySelector('select')?.focus()
          }}
        >
          {t('clear')}
        </Button>
      </Group>
    </Fieldset>
  )
}

/** The files that show how it came. They are uploaded at once. */
function EvidenceFiles({ state: { intake, change, current } }: { readonly state: IntakeState }) {
  const { t } = useTranslation(['intake', 'hr', 'states'])
  const client = useMovementClient()
  const upload = useMutation({
    mutationFn: async (files: readonly File[]) => {
      for (const file of files) {
        const { 'document-id': id } = await client.upload(file)
        change({ evidence: [...current().evidence, { file, id }] })
      }
    },
  })
  const { evidence } = intake
  const remove = (one: Evidence) => change({ evidence: evidence.filter((other) => other !== one) })
  return (
    <Stack gap={6} mt="sm">
      <FileDrop
        label={t('intake:evidence')}
        accept={accepted}
        maxSize={maxMegabytes * 1024 * 1024}
        maxFiles={maxEvidence - evidence.length}
        disabled={upload.isPending || evidence.length >= maxEvidence}
        refused={t('intake:refused', { megabytes: maxMegabytes })}
        onFiles={(files) => upload.mutate(files)}
      >
        {upload.isPending ? t('hr:uploading') : t('intake:dropEvidence')}
      </FileDrop>
      {upload.error !== null && (
        <Text size="sm" role="alert" c="var(--mantine-color-error)">
          {upload.error instanceof ApiError ? <Value>{errorWords(upload.error.body)}</Value> : t('states:connection')}
        </Text>
      )}
      {evidence.map((one) => (
        <Group key={`${one.file.name} ${one.file.size} ${one.file.lastModified}`} gap="xs">
          <Text size="sm">
            <Value>
              {one.file.name} · {formatBytes(one.file.size)}
            </Value>
          </Text>
          <Button
            variant="subtle"
            color="gray"
            aria-label={t('hr:removeFile', { label: one.file.name })}
            onClick={() => remove(one)}
          >
            {t('hr:remove')}
          </Button>
        </Group>
      ))}
    </Stack>
  )
}
