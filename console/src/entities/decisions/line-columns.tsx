import type { TFunction } from 'i18next'
import { useOperation } from '../../api/use-operation.ts'
import type { Column } from '../../components/data-table.tsx'
import { TextLink } from '../../components/link.tsx'
import { TextValue, Value } from '../../components/value.tsx'
import { number, column } from '../../lists/columns.tsx'
import { errorWordsOf, type Line } from './line-words.ts'

/** The columns of what became of each line of decisions. */
export const lineColumns = (t: TFunction<['queue', 'states', 'terms']>): readonly Column<Line>[] => [
  number(t('queue:file.line'), 'line', '5rem'),
  column(t('queue:file.movement'), 'minmax(14rem, 1fr)', (one) => <LineMovement line={one} />),
  column(t('queue:file.product'), '12rem', (one) => <LineProduct line={one} />),
  column(t('queue:file.outcome'), 'minmax(24rem, 1fr)', (one) =>
    one.error === undefined ? (
      one.status !== undefined && t(`terms:status.${one.status}`)
    ) : (
      <>
        <b>{t('queue:file.error')}</b> <Value>{errorWordsOf(one)}</Value>
      </>
    ),
  ),
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
    <TextLink to="/queue/$enrollmentId" params={{ enrollmentId: id }}>
      <Value>{movement.data.result['member-name']}</Value>
    </TextLink>
  )
}

function LineProduct({ line }: { readonly line: Line }) {
  const movement = useMovement(line)
  return <TextValue value={movement.data?.result['product-name']} />
}
