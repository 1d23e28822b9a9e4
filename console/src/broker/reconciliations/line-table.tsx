import { Button, Group, Text } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { TFunction } from 'i18next'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { usePagedList } from '../../api/use-paged-list.ts'
import { Choice } from '../../components/choice.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { TextLink } from '../../components/link.tsx'
import { Absent, MoneyValue, TextValue, Value } from '../../components/value.tsx'
import { layoutFieldLabel } from '../../entities/layouts/field-label.ts'
import { WhyLink } from '../../entities/charges/why-link.tsx'
import { number, text, cpf, column, date } from '../../lists/columns.tsx'
import { usePermission } from '../../session/use-permission.ts'
import { LinkDialog } from './link-dialog.tsx'
import type { CarrierFile, CarrierLine } from '../../entities/reconciliations/reconciliation.ts'
import { LINE_MATCHES } from './search.ts'

const route = getRouteApi('/shell/reconciliations/$fileId')

type T = TFunction<['reconciliations', 'terms']>

const columnsOf = (
  t: T,
  file: CarrierFile,
  mayReadMembers: boolean,
  onLink: ((line: CarrierLine) => void) | null,
): readonly Column<CarrierLine>[] => [
  number(t('reconciliations:line'), 'line-number', '4rem'),
  text(t('reconciliations:nameInFile'), 'name', 'minmax(11rem, 1.5fr)'),
  cpf(t('reconciliations:taxId'), 'tax-id'),
  text(t('reconciliations:card'), 'card-number', '9rem'),
  text(t('reconciliations:plan'), 'plan-code', '6.5rem'),
  ...(file.kind === 'roster' ? [] : [amountColumn(t, file)]),
  column(t('reconciliations:matchedBy'), 'minmax(9rem, 1fr)', (line) => <Match t={t} line={line} />),
  column(t('reconciliations:person'), 'minmax(10rem, 1fr)', (line) => {
    const memberId = line['member-id']
    if (memberId === null || !mayReadMembers) return <TextValue value={line['member-name']} />
    return (
      <TextLink to="/members/$memberId" params={{ memberId }}>
        <TextValue value={line['member-name']} />
      </TextLink>
    )
  }),
  ...(onLink === null
    ? []
    : [
        column(t('reconciliations:link'), '6.5rem', (line: CarrierLine) =>
          line.problems.length > 0 ? (
            <Absent />
          ) : (
            <Button size="compact-xs" variant="default" onClick={() => onLink(line)}>
              {t('reconciliations:link')}
            </Button>
          ),
        ),
      ]),
  ...(file.kind === 'roster'
    ? (['start-date', 'end-date'] as const).map((name) =>
        date(t(`reconciliations:${name}`), (line: CarrierLine) => line[name], '6.5rem'),
      )
    : []),
]

/** What a line charges; of an invoice with the way to why. */
const amountColumn = (t: T, file: CarrierFile): Column<CarrierLine> => ({
  ...column(t('reconciliations:amount'), '7.5rem', (line) => {
    const value = <MoneyValue value={line.amount ?? line['stated-total']} />
    if (file.kind !== 'invoice' || line.kind === 'total') return value
    return (
      <WhyLink of={file} line={line}>
        {value}
      </WhyLink>
    )
  }),
  isNumeric: true,
})

/** By what a line was matched, or why it was not. */
function Match({ t, line }: { readonly t: T; readonly line: CarrierLine }) {
  if (line.kind === 'total') return t('reconciliations:matches.total')
  const matched = matchOf(t, line)
  if (line.problems.length > 0) {
    const problems = line.problems.map((problem) => problemWords(t, problem)).join('; ')
    return (
      <>
        {matched}{' '}
        <Text span size="xs" title={problems}>
          <Value>{problems}</Value>
        </Text>
      </>
    )
  }
  return matched
}

/** What is wrong with a cell, under the name of its field and that of its column in the file. */
function problemWords(t: T, { column, target, code }: CarrierLine['problems'][number]): string {
  const field = target === null ? column : layoutFieldLabel(target)
  const name = target === null || column === '' ? field : t('reconciliations:fieldOfColumn', { field, column })
  return t(`reconciliations:cellProblems.${code}`, { name })
}

function matchOf(t: T, line: CarrierLine): string {
  if (line['is-refused']) return t('reconciliations:matches.refused')
  if (line['is-ambiguous']) return t('reconciliations:matches.ambiguous')
  const by = line['matched-by']
  return by === null ? t('reconciliations:matches.unmatched') : t(`terms:matchedBy.${by}`)
}

/** The lines of a file in its order, with what each was matched by. */
export function LineTable({ file, isClosed }: { readonly file: CarrierFile; readonly isClosed: boolean }) {
  const { t } = useTranslation(['reconciliations', 'terms'])
  const { match } = route.useSearch()
  const navigate = route.useNavigate()
  const mayLink = usePermission('linkCarrierLine') && !isClosed
  const mayReadMembers = usePermission('readAnyMember')
  const [linked, setLinked] = useState<CarrierLine | null>(null)
  const list = usePagedList('listCarrierLines', match === undefined ? {} : { match }, { path: [file['file-id']] })
  return (
    <>
      <Group my="xs" align="flex-end">
        <Choice
          label={t('reconciliations:matching')}
          any={t('reconciliations:any')}
          value={match}
          onChange={(value) =>
            void navigate({
              search: ({ match: _match, ...others }) => (value === undefined ? others : { ...others, match: value }),
              replace: true,
            })
          }
          data={LINE_MATCHES.map((value) => ({ value, label: t(`reconciliations:matches.${value}`) }))}
        />
      </Group>
      <DataTable
        label={t('reconciliations:linesOfFile')}
        unit="lines"
        columns={columnsOf(t, file, mayReadMembers, mayLink ? setLinked : null)}
        list={list}
        idOf={(line) => String(line['line-number'])}
        maxHeight="60vh"
      />
      {linked !== null && (
        <LinkDialog key={linked['line-number']} file={file} line={linked} onClose={() => setLinked(null)} />
      )}
    </>
  )
}
