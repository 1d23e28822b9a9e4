import { Box, Text } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { listOf } from '../../api/list-of.ts'
import { useOperation } from '../../api/use-operation.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { contractFacts } from '../../components/contract-facts.tsx'
import { FactList, fact } from '../../components/fact-list.tsx'
import { TextLink } from '../../components/link.tsx'
import { ObjectPage } from '../../components/object-page.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { RawView } from '../../components/raw-view.tsx'
import { MoneyValue, TextValue, TimestampValue, Value } from '../../components/value.tsx'
import { WorkbookButton } from '../../components/workbook-button.tsx'
import { useOperatorNames } from '../../entities/decisions/use-operator-names.ts'
import { contractNumber } from '../../format/contract-number.ts'
import { formatMonth } from '../../format/month.ts'
import { number, text, column, money } from '../../lists/columns.tsx'
import { type Claim, openAmountOf } from './claim.ts'
import { ClaimActions } from './claim-actions.tsx'
import { ClaimStatusBadge } from './status-badge.tsx'
import { SectionTitle } from '../../components/section-title.tsx'

const route = getRouteApi('/shell/claims/$claimId')

type Line = Claim['lines'][number]

/** A claim with its lines, and what became of it. */
export function ClaimPage() {
  const { t } = useTranslation('claims')
  const { claimId } = route.useParams()
  const claim = useOperation('readClaim', { path: [claimId] })
  return (
    <ObjectPage query={claim} title={t('claim')}>
      {({ result }) => <ClaimView claim={result} />}
    </ObjectPage>
  )
}

function ClaimView({ claim }: { readonly claim: Claim }) {
  const { t } = useTranslation(['claims', 'terms'])
  const month = formatMonth(claim['reference-month'])
  const contract = contractNumber(claim)
  return (
    <>
      <PageHeader title={<Value>{t('claims:titleOne', { month, carrier: claim['carrier-name'], contract })}</Value>}>
        <WorkbookButton
          fileName={t('claims:fileName', { month: claim['reference-month'], contract: claim['contract-number'] })}
          read={(options) => api.claims.export(claim['claim-id'], options)}
        >
          {t('claims:export')}
        </WorkbookButton>
        <ClaimActions claim={claim} />
      </PageHeader>
      <Text size="sm" mb="md">
        {t(`claims:next.${claim.status}`)}
      </Text>
      <Facts claim={claim} />
      <SectionTitle mt="lg">{t('claims:lines')}</SectionTitle>
      <DataTable
        label={t('claims:lines')}
        unit="lines"
        columns={columnsOf(t)}
        list={listOf(claim.lines)}
        idOf={(line) => line['discrepancy-id']}
        maxHeight="60vh"
      />
      <Box mt="lg">
        <RawView value={claim} />
      </Box>
    </>
  )
}

const columnsOf = (t: TFunction<['claims', 'terms']>): readonly Column<Line>[] => [
  number(t('claims:line'), 'line-number', '4.5rem'),
  text(t('claims:person'), 'member-name', 'minmax(11rem, 2fr)'),
  column(t('claims:class'), 'minmax(13rem, 1.5fr)', (line) => t(`terms:discrepancyClass.${line.class}`)),
  money(t('claims:amount'), 'amount'),
  text(t('claims:creditedIn'), ({ 'credited-in': month }) => (month === null ? null : formatMonth(month)), '8rem'),
]

function Facts({ claim }: { readonly claim: Claim }) {
  const { t } = useTranslation('claims')
  const nameOf = useOperatorNames()
  const reconciliation = useOperation('readReconciliation', { path: [claim['reconciliation-id']] }).data?.result
  return (
    <FactList
      facts={[
        fact(t('status'), <ClaimStatusBadge status={claim.status} />),
        fact(t('total'), <MoneyValue value={claim.total} />),
        fact(t('credited'), <MoneyValue value={claim['credited-total']} />),
        fact(t('open'), <MoneyValue value={openAmountOf(claim)} />),
        ...contractFacts({ company: t('company'), contract: t('contract') }, claim),
        reconciliation !== undefined &&
          fact(
            t('invoice'),
            <TextLink to="/reconciliations/$fileId" params={{ fileId: reconciliation['carrier-file-id'] }} size="md">
              {t('reconciliation')}
            </TextLink>,
          ),
        fact(t('protocol'), <TextValue value={claim['carrier-protocol']} />),
        fact(t('sentAt'), <TimestampValue value={claim['sent-at']} />),
        fact(t('createdAt'), <TimestampValue value={claim['created-at']} />),
        fact(t('createdBy'), <Value>{nameOf(claim['created-by'])}</Value>),
        fact(t('note'), <TextValue value={claim.note} />),
      ]}
    />
  )
}
