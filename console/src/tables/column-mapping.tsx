import './column-mapping.css'
import { Button, Group, NativeSelect, Select, Stack, Text, Title } from '@mantine/core'
import { type SubmitEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorMessage } from '../components/error-message.tsx'
import { Value } from '../components/value.tsx'
import type { Choices, MappedTable, MappingForm, UnknownWord } from './mapped-table.ts'
import { SectionTitle } from '../components/section-title.tsx'

/** Titles are above the header, which is one of these rows. */
const headerRows = Array.from({ length: 10 }, (_, index) => String(index + 1))
const maxSamples = 3

interface Props {
  readonly form: MappingForm
  readonly table: MappedTable
  /** For whom it is remembered. */
  readonly help?: string
  readonly isSaving: boolean
  readonly error: Error | null
  readonly onHeaderRow: (row: number) => void
  readonly onSave: (choices: Choices) => void
  readonly onClose?: () => void
}

/** Which field each column of a file stands for, and which value each word that no field has. */
export function ColumnMapping(props: Props) {
  const { form, table, onHeaderRow, onSave, onClose } = props
  const { t } = useTranslation('tables')
  const own = table.columns.filter(({ heading }) => heading !== '' && !form.isKnown(heading))
  const [fields, setFields] = useState<ReadonlyMap<string, string | null>>(
    () => new Map(own.map(({ heading, field, proposed }) => [heading, field ?? proposed])),
  )
  const [words, setWords] = useState<ReadonlyMap<string, string>>(new Map())
  const [formats, setFormats] = useState<ReadonlyMap<string, string>>(new Map())
  const [isTried, setTried] = useState(false)
  const unknown = form.wordsOf(fields)
  const taken = new Set([
    ...table.columns.filter((one) => !own.includes(one)).map(({ field }) => field),
    ...fields.values(),
  ])
  const stillMissing = form.missingOf(taken)
  const formatsOf = (heading: string) => {
    const field = fields.get(heading) ?? null
    return field === null ? [] : (form.formatsOf?.(heading, field) ?? [])
  }
  const readingOf = (heading: string, cell: string) => {
    const field = fields.get(heading) ?? null
    return field === null ? null : (form.readingOf?.(heading, field, cell, formats.get(heading)) ?? null)
  }
  const save = (event: SubmitEvent) => {
    event.preventDefault()
    setTried(true)
    if (stillMissing.length > 0) return
    onSave({
      fields,
      formats,
      words: unknown.flatMap(({ field, value }) => {
        const as = words.get(keyOf(field, value)) ?? ''
        return as === '' ? [] : [{ field, value, as }]
      }),
    })
  }
  return (
    <form onSubmit={save}>
      <Stack gap="md">
        <Group justify="space-between" align="flex-end">
          <div>
            <SectionTitle mb={0}>{t('mapping')}</SectionTitle>
            <Text size="sm" c="dimmed">
              {props.help ?? t('mappingHelp')}
            </Text>
          </div>
          <NativeSelect
            label={t('headerRow')}
            data={headerRows}
            value={String(table['header-row'])}
            onChange={({ currentTarget: { value } }) => onHeaderRow(Number(value))}
          />
        </Group>
        <div className="mapping" role="table" aria-label={t('mapping')}>
          <div role="row" className="mapping-head">
            <span role="columnheader">{t('columnOfFile')}</span>
            <span role="columnheader">{t('samples')}</span>
            <span role="columnheader">{t('field')}</span>
          </div>
          {table.columns.map(
            ({ heading, field }, position) =>
              heading !== '' && (
                <div role="row" key={`${position} ${heading}`}>
                  <span role="cell" className="mapping-heading">
                    <Value>{heading}</Value>
                  </span>
                  <span role="cell" className="mapping-samples">
                    <Value>
                      {samplesOf(table, position)
                        .map((cell) => readingOf(heading, cell) ?? cell)
                        .join(' · ')}
                    </Value>
                  </span>
                  <span role="cell">
                    {fields.has(heading) ? (
                      <FieldSelect
                        form={form}
                        heading={heading}
                        value={fields.get(heading) ?? null}
                        taken={taken}
                        onChange={(chosen) => setFields((now) => new Map(now).set(heading, chosen))}
                      />
                    ) : (
                      <Text size="sm" translate="no">
                        {field === null ? '—' : form.labelOf(field)}
                      </Text>
                    )}
                    {formatsOf(heading).length > 0 && (
                      <NativeSelect
                        mt={4}
                        size="xs"
                        aria-label={t('formatOf', { heading })}
                        data={[...formatsOf(heading)]}
                        value={formats.get(heading) ?? formatsOf(heading)[0]?.value ?? ''}
                        onChange={({ currentTarget: { value } }) =>
                          setFormats((now) => new Map(now).set(heading, value))
                        }
                      />
                    )}
                  </span>
                </div>
              ),
          )}
        </div>
        {unknown.length > 0 && (
          <Words
            form={form}
            values={unknown}
            words={words}
            onChange={(key, as) => setWords((now) => new Map(now).set(key, as))}
          />
        )}
        {stillMissing.length > 0 && (
          <Text size="sm" role={isTried ? 'alert' : 'status'} {...(isTried ? { c: 'red', fw: 600 } : {})}>
            {t('stillMissing')} <Value>{stillMissing.map(form.labelOf).join(', ')}</Value>
          </Text>
        )}
        {props.error !== null && <ErrorMessage error={props.error} />}
        <Group>
          <Button type="submit" loading={props.isSaving}>
            {t('saveMapping')}
          </Button>
          {onClose !== undefined && (
            <Button variant="default" onClick={onClose}>
              {t('cancelMapping')}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  )
}

const keyOf = (field: string, value: string) => JSON.stringify([field, value])

const samplesOf = ({ rows }: MappedTable, position: number): readonly string[] =>
  [...new Set(rows.map(({ cells }) => cells[position] ?? '').filter((cell) => cell !== ''))].slice(0, maxSamples)

function FieldSelect(props: {
  readonly form: MappingForm
  readonly heading: string
  readonly value: string | null
  readonly taken: ReadonlySet<string | null>
  readonly onChange: (field: string | null) => void
}) {
  const { form, heading, value, taken, onChange } = props
  const { t } = useTranslation('tables')
  return (
    <Select
      aria-label={t('fieldOf', { heading })}
      placeholder={t('ignored')}
      size="xs"
      searchable
      clearable
      clearButtonProps={{ 'aria-label': t('ignore', { heading }) }}
      nothingFoundMessage={t('noField')}
      attributes={{ input: { translate: 'no' }, option: { translate: 'no' } }}
      data={form.fields.map((field) => ({
        value: field,
        label: form.labelOf(field),
        disabled: field !== value && taken.has(field),
      }))}
      value={value}
      onChange={onChange}
    />
  )
}

function Words(props: {
  readonly form: MappingForm
  readonly values: readonly UnknownWord[]
  readonly words: ReadonlyMap<string, string>
  readonly onChange: (key: string, as: string) => void
}) {
  const { form, values, words, onChange } = props
  const { t } = useTranslation('tables')
  return (
    <section>
      <Title order={3} size="h5">
        {t('words')}
      </Title>
      <Text size="sm" c="dimmed" mb="xs">
        {t('wordsHelp')}
      </Text>
      <div className="mapping" role="table" aria-label={t('words')}>
        {values.map(({ field, value, lines }) => {
          const key = keyOf(field, value)
          return (
            <div role="row" key={key}>
              <span role="cell" className="mapping-heading">
                <Value>{value}</Value>
              </span>
              <span role="cell" className="mapping-samples">
                <Value>{form.labelOf(field)}</Value> · {t('inLines', { count: lines })}
              </span>
              <span role="cell">
                <NativeSelect
                  size="xs"
                  aria-label={t('valueOf', { word: value })}
                  translate="no"
                  data={[{ value: '', label: '—' }, ...form.valuesOf(field)]}
                  value={words.get(key) ?? ''}
                  onChange={({ currentTarget }) => onChange(key, currentTarget.value)}
                />
              </span>
            </div>
          )
        })}
      </div>
    </section>
  )
}
