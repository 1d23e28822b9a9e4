import { Button, Group, NativeSelect, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { mappedValue } from '../../../../src/registry/rules/read-value.ts'
import { layoutValueLabel } from '../../entities/layouts/field-label.ts'
import type { LayoutColumn } from '../../entities/layouts/layout.ts'

interface Props {
  readonly column: LayoutColumn
  readonly cells: readonly string[]
  readonly values: readonly string[]
  readonly onChange: (column: LayoutColumn) => void
}

const maxWords = 50

/** The codes of a column of a closed set: of a file that is read the meaning of each word, else the code of each value. */
export function CodeFields(props: Props) {
  const { column } = props
  const { t } = useTranslation('layouts')
  const words = wordsOf(props)
  const unknown = words.filter((word) => (column.map === undefined ? null : mappedValue(column.map, word)) === null)
  return (
    <details style={{ gridColumn: '1 / -1' }} open={unknown.length > 0 || undefined}>
      <summary>{t('codes', { count: column.target === undefined ? props.values.length : words.length })}</summary>
      {column.target === undefined ? <Codes {...props} /> : <Meanings {...props} words={words} />}
    </details>
  )
}

/** The words of the sample, or of the layout without one. */
function wordsOf({ column: { map = {} }, cells }: Props): string[] {
  const found = [...new Set(cells.map((cell) => cell.trim()))].filter((word) => word !== '')
  return (found.length > 0 ? found : Object.keys(map)).slice(0, maxWords)
}

function Meanings({ column, values, words, onChange }: Props & { readonly words: readonly string[] }) {
  const { t } = useTranslation('layouts')
  const { target = '', map = {} } = column
  const [word, setWord] = useState('')
  const [added, setAdded] = useState<readonly string[]>([])
  const put = (key: string, value: string) => onChange({ ...column, map: { ...map, [key]: value } })
  const options = [
    { value: '', label: '—' },
    ...values.map((value) => ({ value, label: layoutValueLabel(target, value) })),
  ]
  return (
    <div className="layout-codes">
      {[...new Set([...words, ...added])].map((one) => (
        <NativeSelect
          key={one}
          size="xs"
          label={one}
          labelProps={{ translate: 'no' }}
          translate="no"
          data={options}
          value={mappedValue(map, one) ?? ''}
          onChange={({ currentTarget: { value } }) => put(one, value)}
        />
      ))}
      <Group gap="xs" align="flex-end" wrap="nowrap">
        <TextInput
          size="xs"
          label={t('otherWord')}
          value={word}
          onChange={({ currentTarget: { value } }) => setWord(value)}
        />
        <Button
          size="xs"
          variant="default"
          disabled={word.trim() === ''}
          onClick={() => {
            put(word.trim(), '')
            setAdded([...added, word.trim()])
            setWord('')
          }}
        >
          {t('addWord')}
        </Button>
      </Group>
    </div>
  )
}

function Codes({ column, values, onChange }: Props) {
  const { t } = useTranslation('layouts')
  const { source = '', map } = column
  return (
    <>
      {map === undefined && <Text size="xs">{t('noCodes')}</Text>}
      <div className="layout-codes">
        {values.map((value) => (
          <TextInput
            key={value}
            size="xs"
            label={layoutValueLabel(source, value)}
            labelProps={{ translate: 'no' }}
            translate="no"
            value={map?.[value] ?? ''}
            onChange={({ currentTarget }) => onChange(withCode(column, value, currentTarget.value))}
          />
        ))}
      </div>
    </>
  )
}

/** A code says all of how a value is written. */
function withCode({ format: _format, ...column }: LayoutColumn, value: string, code: string): LayoutColumn {
  return { ...column, map: { ...column.map, [value]: code } }
}
