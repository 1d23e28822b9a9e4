import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Company, MemberDetail } from '@vigencia/client'
import { useTranslation } from 'react-i18next'

/** What can be asked for a person who has benefits in the company. */
export function PersonActions({ member, company }: { readonly member: MemberDetail; readonly company: Company }) {
  const { t } = useTranslation('hr')
  const own = member.benefits.filter((benefit) => benefit['company-tax-id'] === company['tax-id'])
  const active = own.filter(({ status }) => status === 'active')
  const isPrimary = own.some(({ type, status }) => type === 'primary' && status !== 'inactive')
  const params = { memberId: member.id }
  return (
    <>
      {isPrimary && (
        <Button
          variant="default"
          renderRoot={(props) => <Link to="/hr/include" search={{ primary: member.id }} {...props} />}
        >
          {t('includeDependent')}
        </Button>
      )}
      {active.length > 0 && (
        <>
          <Button
            variant="default"
            renderRoot={(props) => <Link to="/hr/people/$memberId/correct" params={params} {...props} />}
          >
            {t('correct')}
          </Button>
          {active.some(({ type }) => type === 'primary') && (
            <Button
              variant="default"
              renderRoot={(props) => <Link to="/hr/people/$memberId/plan" params={params} {...props} />}
            >
              {t('changePlan')}
            </Button>
          )}
          <Button
            variant="default"
            renderRoot={(props) => <Link to="/hr/people/$memberId/exclude" params={params} {...props} />}
          >
            {t('exclude')}
          </Button>
        </>
      )}
    </>
  )
}
