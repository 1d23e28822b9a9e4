import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { CorrectForm } from '../../entities/movement-forms/correct-form.tsx'
import { AlterationOfPerson } from './alteration-of-person.tsx'

const route = getRouteApi('/shell/hr/people/$memberId/correct')

/** Corrects registration data of a person. */
export function CorrectPage() {
  const { t } = useTranslation('hr')
  const { memberId } = route.useParams()
  return <AlterationOfPerson memberId={memberId} title={t('correct')} form={CorrectForm} />
}
