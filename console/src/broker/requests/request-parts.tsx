import { Anchor, Button, Group, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { PART_STATUSES } from '../../../../src/kernel/enums.ts'
import { listOf } from '../../api/list-of.ts'
import { operationQuery } from '../../api/use-operation.ts'
import { Choice } from '../../components/choice.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { RawView } from '../../components/raw-view.tsx'
import { QueryView } from '../../components/state-view.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { Value } from '../../components/value.tsx'
import { formatCpf } from '../../format/tax-id.ts'
import { currentLanguage } from '../../language/language.ts'
import { offenseText } from '../../components/offense-texts.ts'
import { column, side, text } from '../../lists/columns.tsx'
import { present } from '../../lists/search.ts'
import { type Part, partsOf } from '../../entities/requests/parts.ts'
import { PartStatusBadge } from '../../entities/requests/request-status.tsx'
import { SectionTitle } from '../../components/section-title.tsx'

const route = getRouteApi('/shell/requests/$requestId')
const pollMilliseconds = 3_000

const columnsOf = (
  t: TFunction<['request', 'terms', 'states']>,
  reasonOf: (part: Part) => string,
): readonly Column<Part>[] => [
  column(t('cpf'), '9rem', (part) => <PartLink part={part} />),
  text(t('product'), 'product', 'minmax(12rem, 1fr)'),
  side(t('outcome'), '12rem', (part) => <PartStatusBadge status={part.status} />),
  column(t('movement'), '12rem', (part) =>
    part['enrollment-status'] === null ? null : <StatusBadge status={part['enrollment-status']} />,
  ),
  column(t('reason'), 'minmax(14rem, 2fr)', (part) => (
    <span translate="no" title={reasonOf(part)}>
      {reasonOf(part)}
    </span>
  )),
]

/** The parts of a request by outcome; each leads to its movement. */
export function RequestParts({ requestId, requestType }: { readonly requestId: string; readonly requestType: string }) {
  const { t } = useTranslation(['request', 'terms', 'states'])
  const navigate = route.useNavigate()
  const search = route.useSearch()
  const { 'part-status': status, 'enrollment-status': enrollmentStatus, offense } = search
  const query = useQuery({
    ...operationQuery('readAnyRequest', {
      path: [requestId],
      query: status === undefined ? {} : { 'part-status': status },
    }),
    refetchInterval: ({ state }) => (state.data?.result.status === 'processing' ? pollMilliseconds : false),
  })
  const isListed = (part: Part) =>
    (enrollmentStatus === undefined || part['enrollment-status'] === enrollmentStatus) &&
    (offense === undefined || (part.offenses ?? []).some((one) => one === offense))
  const reasonOf = ({ offenses = [] }: Part) =>
    offenses.map((one) => offenseText(one, requestType, currentLanguage())).join(' ')
  const columns = columnsOf(t, reasonOf)
  return (
    <section>
      <Group justify="space-between" align="flex-end" mb="xs">
        <SectionTitle id="parts" tabIndex={-1} mb={0}>
          {t('partsTitle')}
        </SectionTitle>
        <Group align="flex-end" gap="sm">
          {(enrollmentStatus !== undefined || offense !== undefined) && (
            <Button variant="default" size="xs" onClick={() => void navigate({ search: {}, resetScroll: false })}>
              {t('states:clearFilters')}
            </Button>
          )}
          <Choice
            label={t('outcome')}
            any={t('any')}
            value={status}
            data={PART_STATUSES.map((value) => ({ value, label: t(`terms:partStatus.${value}`) }))}
            onChange={(value) => void navigate({ search: present({ 'part-status': value }), resetScroll: false })}
          />
        </Group>
      </Group>
      <QueryView query={query}>
        {({ result }) => (
          <Stack gap="xl">
            <div>
              <DataTable
                label={t('partsTitle')}
                columns={columns}
                list={listOf(partsOf(result).filter(isListed))}
                idOf={({ id }) => id}
                empty={t('noParts')}
              />
            </div>
            <RawView value={result} />
          </Stack>
        )}
      </QueryView>
    </section>
  )
}

/** What follows a link to some of the parts: the keyboard goes on there. */
export const focusParts = () => document.querySelector<HTMLElement>('#parts')?.focus({ preventScroll: true })

/** To the movement; of a part without one, to what the queue has of the person. */
function PartLink({ part }: { readonly part: Part }) {
  const id = part['enrollment-id']
  return (
    <Anchor
      size="sm"
      renderRoot={(props) =>
        id === null ? (
          <Link to="/queue" search={{ q: part.taxId, status: 'all' }} {...props} />
        ) : (
          <Link to="/queue/$enrollmentId" params={{ enrollmentId: id }} {...props} />
        )
      }
    >
      <Value>{formatCpf(part.taxId)}</Value>
    </Anchor>
  )
}
