import '@mantine/dropzone/styles.css'
import { Button, Group, Paper, Progress, Stack, Text } from '@mantine/core'
import { Dropzone } from '@mantine/dropzone'
import type { Invoice } from '@vigencia/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { INVOICE_FILE_TYPES } from '../../../../src/kernel/enums.ts'
import { Choice } from '../../components/choice.tsx'
import { DateField } from '../../components/date-field.tsx'
import { ErrorMessage } from '../../components/error-message.tsx'
import { notifyDone } from '../../components/notify.ts'
import { Value } from '../../components/value.tsx'
import { formatBytes } from '../../format/number.ts'
import { type Draft, isReady, useUploads } from './uploads.ts'

const maxBytes = 100 * 1024 * 1024

/** Files to drop or choose, which are sent once their types are right. */
export default function FileUpload({ invoice }: { readonly invoice: Invoice }) {
  const { t } = useTranslation('invoices')
  const { drafts, add, change, remove, start } = useUploads(invoice, (name) => notifyDone(t('uploaded', { name })))
  const [refused, setRefused] = useState<readonly string[]>([])
  const ready = drafts.filter(isReady)
  return (
    <Stack>
      <Dropzone
        maxSize={maxBytes}
        onDrop={(files) => {
          setRefused(files.filter(({ size }) => size === 0).map(({ name }) => name))
          add(files.filter(({ size }) => size > 0))
        }}
        onReject={(files) => setRefused(files.map(({ file }) => file.name))}
        inputProps={{ 'aria-label': t('chooseFiles') }}
        p="lg"
      >
        <Text ta="center">{t('dropHere')}</Text>
        <Text ta="center" size="sm" c="dimmed">
          {t('fileLimit')}
        </Text>
      </Dropzone>
      {refused.length > 0 && (
        <Text role="alert" size="sm" c="red">
          {t('refused')} <Value>{refused.join(', ')}</Value>
        </Text>
      )}
      {drafts.map((draft) => (
        <DraftRow
          key={draft.id}
          draft={draft}
          onChange={(changed) => change(draft.id, changed)}
          onRemove={() => remove(draft.id)}
          onSend={() => start(draft)}
        />
      ))}
      {drafts.length > 1 && (
        <Group justify="flex-end">
          <Button disabled={ready.length === 0} onClick={() => ready.forEach(start)}>
            {t('sendAll', { count: ready.length })}
          </Button>
        </Group>
      )}
    </Stack>
  )
}

function DraftRow(props: {
  readonly draft: Draft
  readonly onChange: (changed: Partial<Draft>) => void
  readonly onRemove: () => void
  readonly onSend: () => void
}) {
  const { t } = useTranslation(['invoices', 'terms', 'states'])
  const { draft, onChange } = props
  const { file, fraction, error } = draft
  const isSending = fraction !== null
  return (
    <Paper withBorder p="sm" role="group" aria-label={t('draftLabel', { name: file.name })}>
      <Stack gap="xs">
        <Group justify="space-between">
          <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
            <Value>
              {file.name} · {formatBytes(file.size)}
            </Value>
          </Text>
        </Group>
        {isSending ? (
          <Group wrap="nowrap">
            <Progress.Root flex={1} size="lg">
              <Progress.Section value={fraction * 100} aria-label={t('sending')} />
            </Progress.Root>
            <Text size="sm">
              <Value>{Math.round(fraction * 100)} %</Value>
            </Text>
            <Button size="compact-sm" variant="default" onClick={() => draft.abort?.abort(new Error('aborted'))}>
              {t('abort')}
            </Button>
          </Group>
        ) : (
          <Group align="flex-end">
            <Choice
              label={t('fileType')}
              value={draft.type}
              data={INVOICE_FILE_TYPES.map((value) => ({ value, label: t(`terms:invoiceFileType.${value}`) }))}
              onChange={(type) => onChange({ type: type ?? draft.type })}
            />
            {draft.type === 'payment-slip' && (
              <DateField
                label={t('slipDueDate')}
                required
                value={draft.dueDate}
                onChange={(dueDate) => onChange({ dueDate })}
              />
            )}
            <Button disabled={!isReady(draft)} onClick={props.onSend}>
              {error === null ? t('send') : t('states:retry')}
            </Button>
            <Button variant="default" onClick={props.onRemove}>
              {t('removeDraft')}
            </Button>
          </Group>
        )}
        {error !== null && <ErrorMessage error={error} />}
      </Stack>
    </Paper>
  )
}
