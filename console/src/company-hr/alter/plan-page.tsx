import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { PlanForm } from '../../entities/movement-forms/plan-form.tsx'
import { AlterationOfPerson } from './alteration-of-person.tsx'

const route = getRouteApi('/shell/hr/people/$memberId/plan')

/** Moves a primary, with the dependents, to another plan of the company. */
export function PlanPage() {
  const { t } = useTranslation('hr')
  const { memberId } = route.useParams()
  return <AlterationOfPerson memberId={memberId} title={t('changePlan')} form={PlanForm} />
}
