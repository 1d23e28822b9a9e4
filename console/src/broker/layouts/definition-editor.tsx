import { Alert, Button, Group, NativeSelect, NumberInput, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isWritten } from '../../../../src/registry/rules/layout.ts'
import { SectionTitle } from '../../components/section-title.tsx'
import { Value } from '../../components/value.tsx'
import type { Direction, LayoutColumn, LayoutDefinition } from '../../entities/layouts/layout.ts'
import { ColumnFields } from './column-fields.tsx'
import { cutsOf, moveCut, type PlacedColumn, toggleCut, withoutGaps } from './cuts.ts'
import { conditionsOf, recordLabel } from './record-words.ts'
import { Ruler } from './ruler.tsx'
import { cellsOf, hasHeadings, noContent, recordLines, type Sample } from './sample.ts'
import { SamplePreview } from './sample-preview.tsx'

interface Props {
  readonly direction: Direction
  readonly definition: LayoutDefinition
  readonly sample: Sample | null
  readonly onChange: (edit: (definition: LayoutDefinition) => LayoutDefinition) => void
}

/** The columns of a layout, a record at a time. What else it says of its records stays as it is. */
export function DefinitionEditor({ direction, definition, sample, onChange }: Props) {
  const { t } = useTranslation('layouts')
  const [chosen, setChosen] = useState(0)
  const { format, records } = definition
  const index = chosen < records.length ? chosen : 0
  const record = records[index]
  if (record === undefined) return null
  const none = noContent(direction)
  const isFixedWidth = format === 'fixed-width'
  const length = definition['record-length'] ?? 1
  const placed = isFixedWidth ? withoutGaps(record.columns, length, none) : []
  const columns: readonly LayoutColumn[] = isFixedWidth ? placed : record.columns
  const isShared = hasHeadings(definition) && records.some((one) => one !== record && one.sheet === record.sheet)
  const cells = sample === null ? [] : cellsOf(direction, definition, columns, sample)
  // What is edited is the latest definition: a column that stays the same keeps its handlers.
  const setColumns = (edit: (columns: readonly LayoutColumn[], now: LayoutDefinition) => readonly LayoutColumn[]) =>
    onChange((now) => {
      const [edited] = now.records.slice(index)
      if (edited === undefined) return now
      return { ...now, records: now.records.with(index, { ...edited, columns: [...edit(edited.columns, now)] }) }
    })
  const setPlaced = (edit: (columns: readonly PlacedColumn[]) => readonly PlacedColumn[]) =>
    setColumns((now, { 'record-length': latest = 1 }) => edit(withoutGaps(now, latest, none)))
  const isBlock = record.block !== undefined
  const conditions = conditionsOf(record, direction, t)
  return (
    <Stack gap="md">
      {records.length > 1 && (
        <NativeSelect
          label={t('editedRecord')}
          translate="no"
          data={records.map((one, at) => ({ value: String(at), label: recordLabel(one, records, t) }))}
          value={String(index)}
          onChange={({ currentTarget: { value } }) => setChosen(Number(value))}
        />
      )}
      {isKept(definition, record) && (
        <Alert variant="default" title={t('keptTitle')}>
          <Text size="sm">{t('keptText')}</Text>
          <Text size="sm">
            <Value>{conditions.join('; ')}</Value>
          </Text>
        </Alert>
      )}
      <FileFields direction={direction} definition={definition} onChange={onChange} />
      {isFixedWidth && (
        <Ruler
          lines={sample?.format === 'fixed-width' ? recordLines(definition, sample.lines) : []}
          length={length}
          cuts={cutsOf(placed)}
          onToggle={(position) => setPlaced((now) => toggleCut(now, position, none))}
        />
      )}
      <section>
        <SectionTitle>{t('columns')}</SectionTitle>
        {columns.length === 0 ? (
          <Text size="sm">{t('noColumnsYet')}</Text>
        ) : (
          <div className="layout-columns">
            {columns.map((column, at) => (
              <ColumnFields
                key={`${index} ${isFixedWidth ? column.at : at}`}
                direction={direction}
                column={column}
                number={at + 1}
                cells={cells[at] ?? []}
                isFixedWidth={isFixedWidth}
                isShared={isShared}
                onChange={(next) =>
                  isFixedWidth
                    ? setPlaced((now) => now.with(at, { ...next, ...placeOf(now[at]) }))
                    : setColumns((now) => now.with(at, next))
                }
                {...(isFixedWidth && {
                  onBegin: at === 0 ? undefined : (begin) => setPlaced((now) => moveCut(now, at - 1, begin - 1)),
                  onEnd: at === columns.length - 1 ? undefined : (end) => setPlaced((now) => moveCut(now, at, end)),
                })}
                {...(!isFixedWidth &&
                  !isShared &&
                  !isBlock && {
                    onMove: (by) => setColumns((now) => moved(now, at, by)),
                    onRemove: () => setColumns((now) => now.toSpliced(at, 1)),
                  })}
              />
            ))}
          </div>
        )}
        {!isFixedWidth && !isShared && !isBlock && (
          <Group mt="xs">
            <Button size="xs" variant="default" onClick={() => setColumns((now) => [...now, { heading: '', ...none }])}>
              {t('addColumn')}
            </Button>
          </Group>
        )}
      </section>
      {sample !== null && !isWritten(direction) && <SamplePreview columns={columns} cells={cells} />}
    </Stack>
  )
}

/** Whether a record says more than what its columns are. */
const isKept = ({ records }: LayoutDefinition, record: LayoutDefinition['records'][number]): boolean =>
  records.length > 1 ||
  ['when', 'match', 'block', 'completes', 'sheet'].some((member) => member in record) ||
  record.columns.some((column) => column.sign !== undefined || column.total?.startsWith('count:'))

const placeOf = ({ at, length }: PlacedColumn = { at: 1, length: 1 }) => ({ at, length })

function moved(columns: readonly LayoutColumn[], at: number, by: -1 | 1): readonly LayoutColumn[] {
  const [one, other] = [columns[at], columns[at + by]]
  return one === undefined || other === undefined ? columns : columns.with(at, other).with(at + by, one)
}

/** What the file as a whole is like. */
function FileFields({ direction, definition, onChange }: Omit<Props, 'sample'>) {
  const { t } = useTranslation('layouts')
  const { format } = definition
  const isRead = !isWritten(direction)
  const put = (member: 'record-length' | 'skip-first-lines' | 'stop-at' | 'separator', value: string | number) => {
    onChange((now) => {
      const { [member]: _member, ...others } = now
      return value === '' || (member === 'skip-first-lines' && value === 0) ? others : { ...others, [member]: value }
    })
  }
  const separators = { ';': ';', ',': ',', tab: t('tab') }
  if (format !== 'fixed-width' && (format !== 'csv' || isRead)) return null
  return (
    <Group align="flex-start">
      {format === 'csv' ? (
        <NativeSelect
          label={t('separator')}
          data={Object.entries(separators).map(([value, label]) => ({ value, label }))}
          value={definition.separator ?? ';'}
          onChange={({ currentTarget: { value } }) => put('separator', value)}
        />
      ) : (
        <NumberInput
          label={t('recordLength')}
          min={1}
          max={4000}
          allowDecimal={false}
          value={definition['record-length'] ?? 1}
          onChange={(value) => typeof value === 'number' && value >= 1 && put('record-length', value)}
        />
      )}
      {format === 'fixed-width' && isRead && (
        <>
          <NumberInput
            label={t('skipFirst')}
            min={0}
            max={100}
            allowDecimal={false}
            value={definition['skip-first-lines'] ?? 0}
            onChange={(value) => typeof value === 'number' && put('skip-first-lines', value)}
          />
          <TextInput
            label={t('stopAt')}
            value={definition['stop-at'] ?? ''}
            onChange={({ currentTarget: { value } }) => put('stop-at', value)}
          />
        </>
      )}
    </Group>
  )
}
