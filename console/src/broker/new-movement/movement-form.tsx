import { SegmentedControl, Stack } from '@mantine/core'
import type { Company, MemberDetail } from '@vigencia/client'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { MovementKind } from '../../../../src/kernel/enums.ts'
import { Message } from '../../components/state-view.tsx'
import { CorrectForm } from '../../entities/movement-forms/correct-form.tsx'
import { ExcludeForm } from '../../entities/movement-forms/exclude-form.tsx'
import { FamilyForm } from '../../entities/movement-forms/family-form.tsx'
import { PlanForm } from '../../entities/movement-forms/plan-form.tsx'
import type { Sent } from '../../entities/movement-forms/use-batch.ts'
import { useFormFocus } from './steps.ts'

interface OfPerson {
  readonly company: Company
  readonly member: MemberDetail
  readonly sent: Sent
}

/** The form of a movement, as the people of companies have it. @param props.member of an inclusion the primary, if it is of a dependent. */
export function MovementForm({
  kind,
  member,
  ...others
}: Omit<OfPerson, 'member'> & { readonly kind: MovementKind; readonly member: MemberDetail | null }): ReactNode {
  useFormFocus()
  if (kind === 'inclusion') return <Inclusion member={member} {...others} />
  if (member === null) return null
  return kind === 'exclusion' ? <Exclusion member={member} {...others} /> : <Alteration member={member} {...others} />
}

const benefitsOf = (member: MemberDetail, company: Company) =>
  member.benefits.filter((benefit) => benefit['company-tax-id'] === company['tax-id'])

function Inclusion({ company, member, sent }: Omit<OfPerson, 'member'> & { readonly member: MemberDetail | null }) {
  const { t } = useTranslation('intake')
  const isPrimary =
    member === null ||
    benefitsOf(member, company).some(({ type, status }) => type === 'primary' && status !== 'inactive')
  if (!isPrimary) return <Message title={t('noPrimaryTitle')}>{t('noPrimary')}</Message>
  return <FamilyForm company={company} primary={member} sent={sent} />
}

function Exclusion({ company, member, sent }: OfPerson) {
  const active = benefitsOf(member, company).filter(({ status }) => status === 'active')
  if (active.length === 0) return <NothingActive />
  return <ExcludeForm member={member} company={company} active={active} sent={sent} />
}

function Alteration(props: OfPerson) {
  const { t } = useTranslation(['intake', 'hr'])
  const { company, member } = props
  const [what, setWhat] = useState<'correct' | 'plan'>('correct')
  const active = benefitsOf(member, company).filter(({ status }) => status === 'active')
  if (active.length === 0) return <NothingActive />
  const hasPlan = active.some(({ type }) => type === 'primary')
  return (
    <Stack gap="md" align="stretch">
      {hasPlan && (
        <SegmentedControl
          aria-label={t('intake:whatChanges')}
          w="fit-content"
          data={[
            { value: 'correct', label: t('hr:correct') },
            { value: 'plan', label: t('hr:changePlan') },
          ]}
          value={what}
          onChange={(value) => setWhat(value === 'plan' ? 'plan' : 'correct')}
        />
      )}
      {what === 'plan' ? <PlanForm {...props} /> : <CorrectForm {...props} />}
    </Stack>
  )
}

function NothingActive() {
  const { t } = useTranslation(['intake', 'hr'])
  return <Message title={t('intake:nothingActive')}>{t('hr:noActiveBenefit')}</Message>
}
