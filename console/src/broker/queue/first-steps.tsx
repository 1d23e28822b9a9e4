import IconCircleCheck from 'icon:circle-check'
import IconCircleDashed from 'icon:circle-dashed'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useOperation } from '../../api/use-operation.ts'
import { TextLink } from '../../components/link.tsx'
import { SectionTitle } from '../../components/section-title.tsx'
import { Empty } from '../../components/state-view.tsx'
import { usePermission } from '../../session/use-permission.ts'

const one = { query: { 'items-per-page': 1 } }

/** What a new installation needs before movements come in; once it has that, only that there are none. */
export default function FirstSteps() {
  const { t } = useTranslation('companies')
  const mayWrite = usePermission('putCompany')
  const options = { enabled: mayWrite }
  const companies = useOperation('searchCompanies', one, options).data?.result
  const contracts = useOperation('listContracts', one, options).data?.result
  const prices = useOperation('listPriceTables', one, options).data?.result
  const people = useOperation('listPeople', { query: { 'items-per-page': 500 } }, options).data?.result
  if (companies === undefined || contracts === undefined || prices === undefined || people === undefined)
    return <Empty />
  const hasHr = people.some(({ role }) => role === 'company-hr')
  if (companies.length > 0 && contracts.length > 0 && prices.length > 0 && hasHr) return <Empty />
  const contractId = contracts[0]?.['contract-id']
  return (
    <section className="first-steps">
      <SectionTitle>{t('firstSteps.title')}</SectionTitle>
      <ol>
        <Step isDone={companies.length > 0}>
          <TextLink to="/companies/new">{t('firstSteps.company')}</TextLink>
        </Step>
        <Step isDone={contracts.length > 0}>
          <TextLink to="/carriers/contracts/new">{t('firstSteps.contract')}</TextLink>
        </Step>
        <Step isDone={prices.length > 0}>
          {contractId === undefined ? (
            t('firstSteps.prices')
          ) : (
            <TextLink to="/carriers/contracts/$contractId" params={{ contractId }} hash="prices">
              {t('firstSteps.prices')}
            </TextLink>
          )}
        </Step>
        <Step isDone={hasHr}>
          <TextLink to="/people">{t('firstSteps.hr')}</TextLink>
        </Step>
      </ol>
    </section>
  )
}

function Step({ isDone, children }: { readonly isDone: boolean; readonly children: ReactNode }) {
  const { t } = useTranslation('companies')
  const Icon = isDone ? IconCircleCheck : IconCircleDashed
  return (
    <li>
      <Icon size={18} aria-hidden />
      {children}
      {isDone && <span className="visually-hidden">{t('firstSteps.done')}</span>}
    </li>
  )
}
