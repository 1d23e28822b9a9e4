import type { DecisionResult } from '@vigencia/client'
import type { TFunction } from 'i18next'
import type { Column } from '../../components/data-table.tsx'
import { errorWords } from '../../components/error-words.ts'
import { NumberValue, Value } from '../../components/value.tsx'

type Line = DecisionResult['result'][number]

/** A detail without a message names its field at least. */
function wordsOf({ error = '', details = [], ...others }: Line): string {
  const fields = details.filter(({ message }) => message === undefined).map(({ field }) => field)
  return `${errorWords({ error, details, ...others })}${fields.length === 0 ? '' : ` (${fields.join(', ')})`}`
}

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
          <b>{t('queue:file.error')}</b> <Value>{wordsOf(one)}</Value>
        </>
      ),
  },
]
