import { ActionIcon, Checkbox, Group, NativeSelect, NumberInput, Select, TextInput } from '@mantine/core'
import IconArrowDown from 'icon:arrow-down'
import IconArrowUp from 'icon:arrow-up'
import IconTrash from 'icon:trash'
import { memo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isWritten } from '../../../../src/registry/rules/layout.ts'
import { Value } from '../../components/value.tsx'
import { layoutFieldLabel } from '../../entities/layouts/field-label.ts'
import type { Direction, LayoutColumn } from '../../entities/layouts/layout.ts'
import { readCell } from '../../entities/layouts/read-cell.ts'
import { readLabel } from '../../entities/layouts/read-label.ts'
import { CodeFields } from './code-fields.tsx'
import { contentOf, contents, fieldOf, fieldsOf, withContent } from './column-content.ts'
import { formatOptions } from './format-options.ts'

const maxSamples = 3

export interface ColumnProps {
  readonly direction: Direction
  readonly column: LayoutColumn
  /** From 1. */
  readonly number: number
  readonly cells: readonly string[]
  readonly isFixedWidth: boolean
  /** Whether its heading and place are those of other records too. */
  readonly isShared: boolean
  readonly onChange: (column: LayoutColumn) => void
  /** In a layout of fixed width: its first character, and its last one. */
  readonly onBegin?: ((at: number) => void) | undefined
  readonly onEnd?: ((end: number) => void) | undefined
  readonly onMove?: ((by: -1 | 1) => void) | undefined
  readonly onRemove?: (() => void) | undefined
}

/** Layouts have up to 200 columns: those that stay the same are not drawn again. What the handlers do is of the place of the column alone. */
export const ColumnFields = memo(
  Column,
  (before, after) =>
    before.direction === after.direction &&
    before.number === after.number &&
    before.isShared === after.isShared &&
    handlers.every((name) => (before[name] === undefined) === (after[name] === undefined)) &&
    JSON.stringify([before.column, before.cells]) === JSON.stringify([after.column, after.cells]),
)
const handlers = ['onBegin', 'onEnd', 'onMove', 'onRemove'] as const

/** What a column has: its place or heading, its field, and how it is written. */
function Column(props: ColumnProps) {
  const { direction, column, number, cells, isFixedWidth, isShared, onChange, onMove, onRemove } = props
  const { t } = useTranslation('layouts')
  const written = isWritten(direction)
  const field = fieldOf(column)
  const content = contentOf(column)
  const name = column.heading ?? String(number)
  const labels = { label: (text: string) => `${text}: ${name}` }
  const formats = field === null || column.map !== undefined ? [] : formatOptions(field, written, t)
  const options = [
    ...contents
      .filter((one) => one === '#none' || (written && (one !== '#total' || content === '#total')))
      .map((one) => ({
        value: one,
        label: t(`contents.${one === '#none' && !written ? 'notRead' : (one.slice(1) as 'text')}`),
      })),
    ...fieldsOf(direction).map((value) => ({ value, label: layoutFieldLabel(value) })),
  ]
  const setFormat = (format: string) => {
    const { format: _format, ...others } = column
    onChange(format === '' ? others : { ...others, format: format as NonNullable<LayoutColumn['format']> })
  }
  const setRequired = (isRequired: boolean) => {
    const { required: _required, ...others } = column
    onChange(isRequired ? { ...others, required: true } : others)
  }
  return (
    <div role="group" aria-label={t('columnOf', { name })} className="layout-column">
      {isFixedWidth ? (
        <Group gap="xs" wrap="nowrap" align="flex-end">
          <Place label={t('from')} value={column.at ?? 1} onChange={props.onBegin} />
          <Place
            label={t('characters')}
            value={column.length ?? 1}
            onChange={props.onEnd && ((length) => props.onEnd?.((column.at ?? 1) + length - 1))}
          />
        </Group>
      ) : (
        <TextInput
          size="xs"
          label={t('headingOf', { number: String(number) })}
          translate="no"
          disabled={isShared}
          value={column.heading ?? ''}
          onChange={({ currentTarget: { value } }) => onChange({ ...column, heading: value })}
        />
      )}
      <Select
        size="xs"
        label={t('content')}
        aria-label={labels.label(t('content'))}
        searchable
        allowDeselect={false}
        nothingFoundMessage={t('noField')}
        attributes={{ input: { translate: 'no' }, option: { translate: 'no' } }}
        data={options}
        value={content}
        onChange={(chosen) => chosen !== null && onChange(withContent(direction, column, chosen, cells))}
      />
      {content === '#text' ? (
        <TextInput
          size="xs"
          label={t('text')}
          translate="no"
          value={column.literal ?? ''}
          onChange={({ currentTarget: { value } }) => onChange({ ...column, literal: value === '' ? ' ' : value })}
        />
      ) : formats.length > 0 ? (
        <NativeSelect
          size="xs"
          label={t('writtenAs')}
          translate="no"
          data={formats}
          value={column.format ?? ''}
          onChange={({ currentTarget: { value } }) => setFormat(value)}
        />
      ) : (
        <span />
      )}
      {field === null ? (
        <span />
      ) : (
        <Checkbox
          size="xs"
          pb={6}
          label={t('requiredColumn')}
          checked={column.required === true}
          onChange={({ currentTarget: { checked } }) => setRequired(checked)}
        />
      )}
      <Group gap={4} wrap="nowrap">
        {onMove !== undefined && (
          <>
            <ActionIcon variant="default" aria-label={t('moveUp', { name })} onClick={() => onMove(-1)}>
              <IconArrowUp size={16} aria-hidden />
            </ActionIcon>
            <ActionIcon variant="default" aria-label={t('moveDown', { name })} onClick={() => onMove(1)}>
              <IconArrowDown size={16} aria-hidden />
            </ActionIcon>
          </>
        )}
        {onRemove !== undefined && (
          <ActionIcon variant="default" aria-label={t('removeColumn', { name })} onClick={onRemove}>
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        )}
      </Group>
      {isFixedWidth && written && <Filling column={column} onChange={onChange} />}
      {cells.some((cell) => cell.trim() !== '') && (
        <div className="layout-column-more">
          {t('samples')} <Value>{samplesOf(column, cells).join(' · ')}</Value>
        </div>
      )}
      {field?.type === 'code' && (
        <CodeFields column={column} cells={cells} values={field.values ?? []} onChange={onChange} />
      )}
    </div>
  )
}

/** Some cells of the file, and what is read in them where that is another text. */
function samplesOf(column: LayoutColumn, cells: readonly string[]): string[] {
  const { target } = column
  const different = [...new Set(cells.map((cell) => cell.trim()).filter((cell) => cell !== ''))].slice(0, maxSamples)
  if (target === undefined) return different
  return different.map((cell) => {
    const value = readCell(column, cell)
    const shown = value === null ? '?' : readLabel(target, value)
    return shown === cell ? cell : `${cell} = ${shown}`
  })
}

/** A number that is written until it is one. */
function Place(props: {
  readonly label: string
  readonly value: number
  readonly onChange: ((value: number) => void) | undefined
}) {
  const { label, value, onChange } = props
  const [typed, setTyped] = useState<string | number | null>(null)
  return (
    <NumberInput
      size="xs"
      w="5.5rem"
      label={label}
      min={1}
      allowDecimal={false}
      hideControls
      disabled={onChange === undefined}
      value={typed ?? value}
      onChange={(next) => {
        setTyped(next)
        if (typeof next === 'number' && next >= 1) onChange?.(next)
      }}
      onBlur={() => setTyped(null)}
    />
  )
}

/** How a shorter value fills a column of fixed width up, and whether a longer one is cut. */
function Filling({ column, onChange }: Pick<ColumnProps, 'column' | 'onChange'>) {
  const { t } = useTranslation('layouts')
  const { pad, align, overflow, ...others } = column
  const isUsual = pad === undefined || pad === '0' || pad === ' '
  const filling = pad === '0' && align === 'right' ? 'zeros' : align === 'right' ? 'right' : 'left'
  const cut = overflow === undefined ? {} : { overflow }
  if (others.source === undefined && others.total === undefined) return null
  return (
    <Group gap="md" style={{ gridColumn: '1 / -1' }}>
      {isUsual && (
        <NativeSelect
          size="xs"
          label={t('filling')}
          data={(['left', 'right', 'zeros'] as const).map((value) => ({ value, label: t(`fillings.${value}`) }))}
          value={filling}
          onChange={({ currentTarget: { value } }) =>
            onChange({
              ...others,
              ...cut,
              ...(value === 'left' ? {} : { align: 'right' }),
              ...(value === 'zeros' && { pad: '0' }),
            })
          }
        />
      )}
      <Checkbox
        size="xs"
        label={t('truncate')}
        checked={overflow === 'truncate'}
        onChange={({ currentTarget: { checked } }) => {
          const { overflow: _overflow, ...kept } = column
          onChange(checked ? { ...kept, overflow: 'truncate' } : kept)
        }}
      />
    </Group>
  )
}
