import type { TFunction } from 'i18next'
import type { Column } from '../../components/data-table.tsx'
import { NumberValue, Value } from '../../components/value.tsx'
import { errorWordsOf, type Line } from './line-words.ts'

/** The columns of what became of each line of decisions. */
export const lineColumns = (t: TFunction<['queue', 'states', 'terms']>): readonly Column<Line>[] => [
  {
    id: 'line',
    header: t('queue:file.line'),
    width: '5rem',
    isNumeric: true,
    cell: ({ line }) => <NumberValue value={line} />,
  },
  {
    id: 'id',
    header: t('queue:file.movement'),
    width: '19rem',
    cell: (one) => <Value>{one['enrollment-id'] ?? '—'}</Value>,
  },
  {
    id: 'outcome',
    header: t('queue:file.outcome'),
    width: 'minmax(24rem, 1fr)',
    cell: (one) =>
      one.error === undefined ? (
        one.status !== undefined && t(`terms:status.${one.status}`)
      ) : (
        <>
          <b>{t('queue:file.error')}</b> <Value>{errorWordsOf(one)}</Value>
        </>
      ),
  },
]
