import type { Company, MemberDetail } from '@vigencia/client'
import { useTranslation } from 'react-i18next'
import { ButtonLink } from '../../components/link.tsx'
import { usePermission } from '../../session/use-permission.ts'

/** What can be asked for a person who has benefits in the company. */
export function PersonActions({ member, company }: { readonly member: MemberDetail; readonly company: Company }) {
  const { t } = useTranslation(['hr', 'payroll'])
  const seesMoney = usePermission('listCompanyDeductions')
  const own = member.benefits.filter((benefit) => benefit['company-tax-id'] === company['tax-id'])
  const active = own.filter(({ status }) => status === 'active')
  const isPrimary = own.some(({ type, status }) => type === 'primary' && status !== 'inactive')
  const params = { memberId: member.id }
  return (
    <>
      {isPrimary && (
        <ButtonLink to="/hr/include" search={{ primary: member.id }} variant="default">
          {t('includeDependent')}
        </ButtonLink>
      )}
      {seesMoney && own.some(({ type }) => type === 'primary') && (
        <ButtonLink to="/hr/people/$memberId/final-balance" params={params} variant="default">
          {t('payroll:leaving.ofPerson')}
        </ButtonLink>
      )}
      {active.length > 0 && (
        <>
          <ButtonLink to="/hr/people/$memberId/correct" params={params} variant="default">
            {t('correct')}
          </ButtonLink>
          {active.some(({ type }) => type === 'primary') && (
            <ButtonLink to="/hr/people/$memberId/plan" params={params} variant="default">
              {t('changePlan')}
            </ButtonLink>
          )}
          <ButtonLink to="/hr/people/$memberId/exclude" params={params} variant="default">
            {t('exclude')}
          </ButtonLink>
        </>
      )}
    </>
  )
}
