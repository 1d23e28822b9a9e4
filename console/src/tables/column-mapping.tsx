import './column-mapping.css'
import { Button, Group, NativeSelect, Select, Stack, Text, Title } from '@mantine/core'
import type { Result } from '@vigencia/client'
import { type SubmitEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { productNameKey } from '../../../src/domain/product-name.ts'
import { type TableKind, TABLES } from '../../../src/domain/table-columns.ts'
import { ErrorMessage } from '../components/error-message.tsx'
import { Value } from '../components/value.tsx'
import { fieldLabel, valueLabel } from './labels.ts'

export type TableOfFile = Result<'readTable'>
export type Profile = Pick<Result<'readOwnColumnProfile'>, 'columns' | 'values'>

/** Titles are above the header, which is one of these rows. */
const headerRows = Array.from({ length: 10 }, (_, index) => String(index + 1))
const maxSamples = 3

interface Props {
  readonly kind: TableKind
  readonly table: TableOfFile
  readonly profile: Profile
  /** Of the company; none: words for products cannot be mapped. */
  readonly products: readonly string[]
  readonly isSaving: boolean
  readonly error: Error | null
  readonly onHeaderRow: (row: number) => void
  readonly onSave: (profile: Profile) => void
  readonly onClose?: () => void
}

/** Which field each column of a file stands for, and which value each word that no field has: remembered for the company. */
export function ColumnMapping(props: Props) {
  const { kind, table, profile, products, onHeaderRow, onSave, onClose } = props
  const { t } = useTranslation('tables')
  const own = table.columns.filter(({ heading }) => heading !== '' && TABLES[kind].columnOf(heading) === undefined)
  const [fields, setFields] = useState<ReadonlyMap<string, string | null>>(
    () => new Map(own.map(({ heading, field, proposed }) => [heading, field ?? proposed])),
  )
  const [words, setWords] = useState<ReadonlyMap<string, string>>(new Map())
  const unknown = table['unknown-values'].filter(({ field }) => field !== 'product-name' || products.length > 0)
  const taken = new Set([
    ...table.columns.filter((one) => !own.includes(one)).map(({ field }) => field),
    ...fields.values(),
  ])
  const stillMissing = TABLES[kind].required.filter((field) => !taken.has(field))
  const save = (event: SubmitEvent) => {
    event.preventDefault()
    onSave(merged(profile, fields, words))
  }
  return (
    <form onSubmit={save}>
      <Stack gap="md">
        <Group justify="space-between" align="flex-end">
          <div>
            <Title order={2} size="h4">
              {t('mapping')}
            </Title>
            <Text size="sm" c="dimmed">
              {t('mappingHelp')}
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
                    <Value>{samplesOf(table, position)}</Value>
                  </span>
                  <span role="cell">
                    {fields.has(heading) ? (
                      <FieldSelect
                        kind={kind}
                        heading={heading}
                        value={fields.get(heading) ?? null}
                        taken={taken}
                        onChange={(chosen) => setFields((now) => new Map(now).set(heading, chosen))}
                      />
                    ) : (
                      <Text size="sm" translate="no">
                        {field === null ? '—' : fieldLabel(kind, field)}
                      </Text>
                    )}
                  </span>
                </div>
              ),
          )}
        </div>
        {unknown.length > 0 && (
          <Words
            kind={kind}
            values={unknown}
            products={products}
            words={words}
            onChange={(key, as) => setWords((now) => new Map(now).set(key, as))}
          />
        )}
        {stillMissing.length > 0 && (
          <Text size="sm" role="status">
            {t('stillMissing')} <Value>{stillMissing.map((field) => fieldLabel(kind, field)).join(', ')}</Value>
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

const samplesOf = ({ rows }: TableOfFile, position: number): string =>
  [...new Set(rows.map(({ cells }) => cells[position] ?? '').filter((cell) => cell !== ''))]
    .slice(0, maxSamples)
    .join(' · ')

/** The profile with what was chosen here. */
function merged(
  profile: Profile,
  fields: ReadonlyMap<string, string | null>,
  words: ReadonlyMap<string, string>,
): Profile {
  const headings = new Set([...fields.keys()].map(productNameKey))
  const columns = [
    ...profile.columns.filter(({ heading }) => !headings.has(productNameKey(heading))),
    ...[...fields].flatMap(([heading, field]) => (field === null ? [] : [{ heading, field }])),
  ]
  const chosen = [...words].flatMap(([key, as]) => {
    const { field, value } = JSON.parse(key) as { field: string; value: string }
    return as === '' ? [] : [{ field, value, as }]
  })
  return { columns, values: [...profile.values, ...chosen] } as Profile
}

function FieldSelect(props: {
  readonly kind: TableKind
  readonly heading: string
  readonly value: string | null
  readonly taken: ReadonlySet<string | null>
  readonly onChange: (field: string | null) => void
}) {
  const { kind, heading, value, taken, onChange } = props
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
      data={[...TABLES[kind].columns.keys()].map((field) => ({
        value: field,
        label: fieldLabel(kind, field),
        disabled: field !== value && taken.has(field),
      }))}
      value={value}
      onChange={onChange}
    />
  )
}

function Words(props: {
  readonly kind: TableKind
  readonly values: TableOfFile['unknown-values']
  readonly products: readonly string[]
  readonly words: ReadonlyMap<string, string>
  readonly onChange: (key: string, as: string) => void
}) {
  const { kind, values, products, words, onChange } = props
  const { t } = useTranslation('tables')
  const optionsOf = (field: string) =>
    field === 'product-name'
      ? products.map((product) => ({ value: product, label: product }))
      : Object.keys(TABLES[kind].columns.get(field)?.words ?? {}).map((value) => ({
          value,
          label: valueLabel(kind, field, value),
        }))
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
          const key = JSON.stringify({ field, value })
          return (
            <div role="row" key={key}>
              <span role="cell" className="mapping-heading">
                <Value>{value}</Value>
              </span>
              <span role="cell" className="mapping-samples">
                <Value>{fieldLabel(kind, field)}</Value> · {t('inLines', { count: lines })}
              </span>
              <span role="cell">
                <NativeSelect
                  size="xs"
                  aria-label={t('valueOf', { word: value })}
                  translate="no"
                  data={[{ value: '', label: '—' }, ...optionsOf(field)]}
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
