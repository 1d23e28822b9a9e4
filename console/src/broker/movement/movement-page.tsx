import './movement.css'
import { Alert, Button, Group, Text } from '@mantine/core'
import { useInterval } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useOperation } from '../../api/use-operation.ts'
import { TextLink } from '../../components/link.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { RawView } from '../../components/raw-view.tsx'
import { usePageTitle } from '../../components/page-title.ts'
import { ErrorState, Loading, NotFound } from '../../components/state-view.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { CpfValue, Value } from '../../components/value.tsx'
import { UndoButton } from '../../entities/decisions/undo-button.tsx'
import { refresh } from '../../entities/decisions/undo.ts'
import { useOperatorNames } from '../../entities/decisions/use-operator-names.ts'
import { Actions } from './actions.tsx'
import { Answers } from './answers.tsx'
import { Assignee } from './assignee.tsx'
import type { Movement } from './comparison.ts'
import { Comparison } from './comparison-table.tsx'
import { Deadlines } from './deadlines.tsx'
import { Documents } from './documents.tsx'
import { Facts } from './facts.tsx'
import { Family } from './family.tsx'
import { Follows } from './follows.tsx'
import { History } from './history.tsx'
import { parseQueueSearch } from '../../entities/queue/queue-search.ts'
import type { MovementSearch } from './movement-search.ts'
import { Money } from './money.tsx'
import { Identity } from './identity.tsx'
import { NextSteps } from './next-steps.tsx'
import { Notes } from './notes.tsx'
import { Pending } from './pending.tsx'
import { Presence } from './presence.tsx'
import { PrintNote } from './print-note.tsx'
import { type Neighbours, useNeighbours } from './use-neighbours.ts'
import { Warnings } from './warnings.tsx'
import { typeTerm } from '../../format/movement-type.ts'

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

const route = getRouteApi('/shell/queue/$enrollmentId')

/** A movement, with everything that an operator decides by. */
export function MovementPage() {
  const { t } = useTranslation('movement')
  const { enrollmentId } = route.useParams()
  const search = route.useSearch()
  const isId = uuid.test(enrollmentId)
  const movement = useOperation('readMovement', { path: [enrollmentId] }, { enabled: isId })
  const neighbours = useNeighbours(enrollmentId, search)
  if (movement.data === undefined) {
    return (
      <>
        <PageHeader title={t('title')} />
        {!isId ? (
          <NotFound />
        ) : movement.error === null ? (
          <Loading />
        ) : (
          <ErrorState error={movement.error} onRetry={() => void movement.refetch()} />
        )}
      </>
    )
  }
  return (
    <MovementView
      // The states of its parts belong to one movement.
      key={enrollmentId}
      movement={movement.data.result}
      search={search}
      neighbours={neighbours}
    />
  )
}

function MovementView(props: {
  readonly movement: Movement
  readonly search: MovementSearch
  readonly neighbours: Neighbours
}) {
  const { movement } = props
  const hasDocuments = movement.documents.length > 0
  return (
    <article className="movement">
      <Header {...props} />
      <Warnings movement={movement} />
      <Presence enrollmentId={movement.id} />
      <NextSteps movement={movement} />
      <div className="movement-columns" data-documents={hasDocuments}>
        <div className="movement-main">
          <Follows movement={movement} />
          <Pending movement={movement} />
          <Identity movement={movement} />
          <Answers movement={movement} />
          <Comparison movement={movement} />
          {!hasDocuments && <Documents enrollmentId={movement.id} />}
          <Family movement={movement} />
        </div>
        <div className="movement-side">
          {/* Beside the data, in view without scrolling. */}
          {hasDocuments && <Documents enrollmentId={movement.id} />}
          <Facts movement={movement} />
          <Money movement={movement} />
          <Deadlines movement={movement} />
          <Assignee movement={movement} />
          <History movement={movement} />
          <Notes enrollmentId={movement.id} />
        </div>
      </div>
      <RawView value={movement} />
    </article>
  )
}

function Header(props: {
  readonly movement: Movement
  readonly search: MovementSearch
  readonly neighbours: Neighbours
}) {
  const { movement, search } = props
  const { t } = useTranslation(['movement', 'terms'])
  usePageTitle(movement['member-name'])
  const heading = useRef<HTMLHeadingElement>(null)
  // The next movement is another page: the focus leaves what was there before.
  useEffect(() => heading.current?.focus({ preventScroll: true }), [])
  return (
    <>
      <TextLink to="/queue" search={parseQueueSearch({ ...search })} className="no-print">
        {t('movement:backToQueue')}
      </TextLink>
      <Group justify="space-between" align="flex-start" gap="xs" mb="xs">
        <div>
          <Text component="h1" fz="h2" fw={700} lh={1.3} tabIndex={-1} ref={heading}>
            {t(typeTerm(movement['enrollment-type'], movement['alteration-kind']))}:{' '}
            <TextLink to="/members/$memberId" params={{ memberId: movement['member-id'] }} inherit>
              <Value>{movement['member-name']}</Value>
            </TextLink>
          </Text>
          <Group gap="xs">
            <StatusBadge status={movement.status} />
            <Text size="sm">
              <CpfValue value={movement['member-tax-id']} /> · {t(`terms:beneficiaryType.${movement['member-type']}`)}
            </Text>
          </Group>
        </div>
        <Button variant="default" size="xs" className="no-print" onClick={() => print()}>
          {t('movement:print')}
        </Button>
      </Group>
      <PrintNote movementId={movement.id} />
      {movement['held-decision'] === null ? <Actions {...props} /> : <Held held={movement['held-decision']} />}
    </>
  )
}

/** The decision that waits: until it is made or undone there is no other. */
function Held({ held }: { readonly held: NonNullable<Movement['held-decision']> }) {
  const { t } = useTranslation(['movement', 'decisions', 'terms'])
  const queryClient = useQueryClient()
  const nameOf = useOperatorNames()
  useInterval(() => refresh(queryClient), 2_000, { autoInvoke: true })
  const text = t('movement:held', { status: t(`terms:status.${held.status}`), name: nameOf(held.author) })
  return (
    <Alert color="yellow" className="no-print" mb="md">
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm" role="status">
          <Value>{text}</Value>
        </Text>
        <UndoButton jobIds={[held['job-id']]}>{t('decisions:undo')}</UndoButton>
      </Group>
    </Alert>
  )
}
