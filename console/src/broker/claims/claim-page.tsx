import { Box, Text } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { listOf } from '../../api/list-of.ts'
import { useOperation } from '../../api/use-operation.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { ContextLine } from '../../components/context-line.tsx'
import { contractLinks } from '../../components/contract-links.tsx'
import { Copied } from '../../components/copied.tsx'
import { KeyNumbers, keyNumber } from '../../components/key-numbers.tsx'
import { TextLink } from '../../components/link.tsx'
import { ObjectPage } from '../../components/object-page.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { RawView } from '../../components/raw-view.tsx'
import { Steps } from '../../components/steps.tsx'
import { MoneyValue, Value } from '../../components/value.tsx'
import { WorkbookButton } from '../../components/workbook-button.tsx'
import { useOperatorNames } from '../../entities/decisions/use-operator-names.ts'
import { contractNumber } from '../../format/contract-number.ts'
import { formatMonth } from '../../format/month.ts'
import { number, text, column, money } from '../../lists/columns.tsx'
import { type Claim, openAmountOf } from './claim.ts'
import { ClaimActions } from './claim-actions.tsx'
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
      <Head claim={claim} />
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

/** What the claim belongs to, how far it is, its amounts, and what its people wrote. */
function Head({ claim }: { readonly claim: Claim }) {
  const { t } = useTranslation(['claims', 'terms'])
  const reconciliation = useOperation('readReconciliation', { path: [claim['reconciliation-id']] }).data?.result
  const { status, note, 'carrier-protocol': protocol } = claim
  return (
    <>
      <ContextLine
        items={[
          ...contractLinks(claim),
          reconciliation !== undefined && (
            <TextLink to="/reconciliations/$fileId" params={{ fileId: reconciliation['carrier-file-id'] }}>
              {t('claims:reconciliation')}
            </TextLink>
          ),
          protocol !== null && (
            <>
              {t('claims:protocol')}{' '}
              <Copied text={protocol} name={t('claims:protocol')}>
                <Value>{protocol}</Value>
              </Copied>
            </>
          ),
        ]}
      />
      <ClaimSteps claim={claim} />
      <KeyNumbers
        numbers={[
          keyNumber(t('claims:total'), <MoneyValue value={claim.total} />),
          status !== 'draft' &&
            status !== 'refused' &&
            keyNumber(t('claims:credited'), <MoneyValue value={claim['credited-total']} />),
          (status === 'sent' || status === 'accepted') &&
            keyNumber(t('claims:open'), <MoneyValue value={openAmountOf(claim)} />),
        ]}
      />
      <Text size="sm" mb="xs">
        {t(`claims:next.${status}`)}
      </Text>
      {note !== null && (
        <Text size="sm" c="dimmed" mb="xs" style={{ overflowWrap: 'anywhere' }}>
          {t('claims:note')}: <Value>{note}</Value>
        </Text>
      )}
    </>
  )
}

function ClaimSteps({ claim }: { readonly claim: Claim }) {
  const { t } = useTranslation(['claims', 'terms'])
  const nameOf = useOperatorNames()
  const { status } = claim
  const after = status === 'refused' ? (['refused'] as const) : (['accepted', 'credited'] as const)
  return (
    <Steps
      label={t('claims:way')}
      steps={[
        { key: 'draft', name: t('terms:claimStatus.draft'), at: claim['created-at'], by: nameOf(claim['created-by']) },
        { key: 'sent', name: t('terms:claimStatus.sent'), at: claim['sent-at'] },
        ...after.map((key) => ({ key, name: t(`terms:claimStatus.${key}`) })),
      ]}
      present={status}
      isDone={status === 'credited'}
    />
  )
}
