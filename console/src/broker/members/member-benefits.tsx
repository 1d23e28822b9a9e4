import { Group, Slider, Stack, Text } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DateField } from '../../components/date-field.tsx'
import { formatDate, businessDate } from '../../format/date.ts'
import { formatNumber } from '../../format/number.ts'
import { BenefitAxis } from './benefit-axis.tsx'
import { BenefitTable } from './benefit-table.tsx'
import { axisOf, byStart, dayNumber, dayOfNumber, isInForce, type Member } from '../../entities/benefits/benefits.ts'
import { SectionTitle } from '../../components/section-title.tsx'

const route = getRouteApi('/shell/members/$memberId')

/** The benefits now and before, by date; those in force on a day are marked. The day is in the address. */
export function MemberBenefits({ member }: { readonly member: Member }) {
  const { t } = useTranslation('members')
  const navigate = route.useNavigate()
  const today = businessDate()
  const { on = today } = route.useSearch()
  // While the slider is dragged the address stays.
  const [dragged, setDragged] = useState<string | null>(null)
  const day = dragged ?? on
  const benefits = byStart(member.benefits)
  const axis = axisOf(benefits, [today, on])
  const count = benefits.filter((benefit) => isInForce(benefit, day)).length
  const choose = (next: string | null) => {
    setDragged(null)
    void navigate({ search: next === null || next === today ? {} : { on: next }, replace: true, resetScroll: false })
  }
  return (
    <section>
      <SectionTitle>{t('benefits')}</SectionTitle>
      <Stack gap="sm">
        <Group align="flex-end">
          <DateField label={t('onDate')} value={day} onChange={choose} />
          <Text size="sm" role="status" pb={8}>
            {t('inForceOn', { count, formatted: formatNumber(count), date: formatDate(day) })}
          </Text>
        </Group>
        <BenefitAxis benefits={benefits} on={day} axis={axis} />
        <div className="benefit-slider">
          <Slider
            min={axis.first}
            max={axis.last}
            value={dayNumber(day)}
            label={null}
            thumbLabel={t('onDate')}
            thumbValueText={(number) => formatDate(dayOfNumber(number))}
            onChange={(number) => setDragged(dayOfNumber(number))}
            onChangeEnd={(number) => choose(dayOfNumber(number))}
          />
        </div>
        <BenefitTable member={member} benefits={benefits} on={day} />
      </Stack>
    </section>
  )
}
