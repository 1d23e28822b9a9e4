import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { TFunction } from 'i18next'
import { useOperation } from '../../api/use-operation.ts'
import type { Column } from '../../components/data-table.tsx'
import { NumberValue, TextValue, Value } from '../../components/value.tsx'
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
    width: 'minmax(14rem, 1fr)',
    cell: (one) => <LineMovement line={one} />,
  },
  {
    id: 'product',
    header: t('queue:file.product'),
    width: '12rem',
    cell: (one) => <LineProduct line={one} />,
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

function useMovement({ 'enrollment-id': id, code }: Line) {
  const isKnown = id !== null && code !== 'enrollment-not-found'
  return useOperation('readMovement', { path: [id ?? ''] }, { enabled: isKnown })
}

/** Whom a line is about. The rows in view are read: a file has up to 10,000 lines. */
function LineMovement({ line }: { readonly line: Line }) {
  const movement = useMovement(line)
  const id = line['enrollment-id']
  if (id === null || movement.data === undefined) return <Value>{id ?? '—'}</Value>
  return (
    <Anchor
      size="sm"
      renderRoot={(props) => <Link to="/queue/$enrollmentId" params={{ enrollmentId: id }} {...props} />}
    >
      <Value>{movement.data.result['member-name']}</Value>
    </Anchor>
  )
}

function LineProduct({ line }: { readonly line: Line }) {
  const movement = useMovement(line)
  return <TextValue value={movement.data?.result['product-name']} />
}
