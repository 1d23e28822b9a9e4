import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import { useOperation } from '../../api/use-operation.ts'
import { TextLink } from '../../components/link.tsx'
import { Value } from '../../components/value.tsx'
import { formatNumber } from '../../format/number.ts'
import { usePermission } from '../../session/use-permission.ts'
import { contractNumber } from '../../format/contract-number.ts'
import { type Reconciliation } from '../../entities/reconciliations/reconciliation.ts'
import type { ContractOfMonth, Month } from './closing.ts'
import { ItemStateBadge } from './status-badges.tsx'
import { PlainTable, plain } from '../../components/plain-table.tsx'
import { money } from '../../lists/columns.tsx'

/** The contracts of a month, of a closed one as they were: what is done, what is not with the way to it, and the amounts. */
export function ContractTable({ month }: { readonly month: Month }) {
  const { t } = useTranslation(['closings', 'terms'])
  const ofMonth = { 'company-tax-id': month['company-tax-id'], 'reference-month': month['reference-month'] }
  const compared = useOperation('listReconciliations', { query: { ...ofMonth, 'items-per-page': 500 } }).data?.result
  return (
    <PlainTable<ContractOfMonth>
      label={t('closings:contracts')}
      items={month.contracts}
      idOf={(contract) => contract['contract-id']}
      rowOf={() => ({ className: 'nowrap' })}
      columns={[
        plain(t('closings:contract'), (contract) => (
          <TextLink to="/carriers/contracts/$contractId" params={{ contractId: contract['contract-id'] }}>
            <Value>{`${contract['carrier-name']} · ${contractNumber(contract)}`}</Value>
          </TextLink>
        )),
        ...(['roster', 'invoice'] as const).map((kind) =>
          plain<ContractOfMonth>(t(`terms:closingItem.${kind}`), (contract) => (
            <FileState month={month} contract={contract} kind={kind} compared={compared} />
          )),
        ),
        plain(t('terms:closingItem.claims'), (contract) => <ClaimState month={month} contract={contract} />),
        money(t('closings:charged'), 'carrier-total'),
        money(t('closings:expected'), 'expected-total'),
        money(t('closings:difference'), 'discrepancy'),
        money(t('closings:claimed'), 'claimed-total'),
      ]}
    />
  )
}

/** The state of the roster or the invoices of a contract, and where what is open is done. */
function FileState(props: {
  readonly month: Month
  readonly contract: ContractOfMonth
  readonly kind: 'roster' | 'invoice'
  readonly compared: readonly Reconciliation[] | undefined
}) {
  const { month, contract, kind } = props
  const { t } = useTranslation(['closings', 'terms'])
  const mayUpload = usePermission('uploadCarrierFile')
  const contractId = contract['contract-id']
  // The latest first: of rosters it counts, of invoices those that the month names.
  const ofKind = props.compared?.filter((one) => one['contract-id'] === contractId && one.kind === kind)
  const state = contract[kind]
  const invoices = kind === 'invoice' ? contract.invoices : undefined
  const fileIds =
    invoices?.map((one) => one['file-id']) ?? ofKind?.slice(0, 1).map((one) => one['carrier-file-id']) ?? []
  const kindOf = (fileId: string) => invoices?.find((one) => one['file-id'] === fileId)?.['invoice-kind']
  return (
    <>
      <ItemStateBadge state={state} />{' '}
      {ofKind !== undefined &&
        fileIds.map((fileId, index) => {
          const reconciliation = ofKind.find((one) => one['carrier-file-id'] === fileId)
          // A closed month shows what was counted then.
          const open =
            fileIds.length === 1
              ? contract[`open-${kind}-discrepancies`]
              : (reconciliation?.counts.reduce((sum, one) => sum + one.open, 0) ?? 0)
          const name = kindOf(fileId)
          const isNamed = name !== undefined && (fileIds.length > 1 || name !== 'main')
          return (
            <Fragment key={fileId}>
              {index > 0 && <br />}
              <TextLink
                to="/reconciliations/$fileId"
                params={{ fileId }}
                search={open > 0 ? { status: 'open' as const } : {}}
              >
                {isNamed && `${t(`terms:invoiceKind.${name}`)}: `}
                {reconciliation === undefined
                  ? t('closings:notCompared')
                  : reconciliation.status === 'computing'
                    ? t('closings:computing')
                    : t('closings:openOnes', { count: open, formatted: formatNumber(open) })}
              </TextLink>
            </Fragment>
          )
        })}
      {state === 'missing' && fileIds.length === 0 && month.status === 'open' && mayUpload && (
        <TextLink
          to="/reconciliations"
          search={{
            'company-tax-id': month['company-tax-id'],
            'contract-id': contractId,
            'reference-month': month['reference-month'],
            kind,
          }}
        >
          {t('closings:sendFile')}
        </TextLink>
      )}
    </>
  )
}

function ClaimState({ month, contract }: { readonly month: Month; readonly contract: ContractOfMonth }) {
  const { t } = useTranslation('closings')
  const drafts = contract['draft-claims']
  if (drafts === 0) return <ItemStateBadge state="done" />
  return (
    <>
      <ItemStateBadge state="open" />{' '}
      <TextLink
        to="/claims"
        search={{
          'company-tax-id': month['company-tax-id'],
          'contract-id': contract['contract-id'],
          'reference-month': month['reference-month'],
          status: 'draft' as const,
        }}
      >
        {t('drafts', { count: drafts, formatted: formatNumber(drafts) })}
      </TextLink>
    </>
  )
}
