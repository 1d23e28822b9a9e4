import { Select, SimpleGrid, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { FINAL_LIMITS, PAYROLL_BASES, TAX_FIGURE_BASES, UNPAID_LEAVES } from '../../../../src/kernel/broker-enums.ts'
import { useOperation } from '../../api/use-operation.ts'
import { SectionTitle } from '../../components/section-title.tsx'
import { layoutName } from '../../entities/layouts/built-in-words.ts'
import { parseMonth } from '../../format/month.ts'
import { PageForm, type Saving } from '../../forms/page-form.tsx'
import { required } from '../../forms/required.ts'
import { EventFields } from './event-fields.tsx'
import { isDay, ownEvents, type ProfileValues } from './profile-values.ts'
import { TypeEvents } from './type-events.tsx'

const inputs = [
  'layout-id',
  ...ownEvents,
  'refund',
  'basis',
  'first-month',
  'payroll-day',
  'unpaid-leave',
  'tax-figures-by',
  'final-limit',
]
// Between the label and the field descriptions of one and of two lines would put fields of a row at two heights.
const order = ['label', 'input', 'description', 'error'] as 'label'[]

/** How deductions are written for a payroll. @param props.children beside the button that saves. */
export function ProfileForm(props: {
  readonly taxId: string
  readonly initialValues: ProfileValues
  readonly saving: Saving<ProfileValues>
  readonly children?: ReactNode
}) {
  const { t } = useTranslation(['payroll', 'states'])
  const layouts = useOperation('listLayouts', { query: { direction: 'payroll', 'items-per-page': 500 } })
  const event = required(ownEvents, t('states:required'))
  const form = useForm<ProfileValues>({
    initialValues: props.initialValues,
    validate: {
      ...required(['layout-id'], t('states:required')),
      events: {
        ...event,
        'by-product-type': (types) => {
          const isMissing = Object.values(types).some((one) => ownEvents.some((name) => one[name].trim() === ''))
          return isMissing ? t('states:required') : null
        },
      },
      'first-month': (text, { basis }) =>
        basis === 'effective-date' && parseMonth(text) === null ? t('payroll:invalidMonth') : null,
      'payroll-day': (text) => (text.trim() === '' || isDay(text) ? null : t('payroll:profile.wrongDay')),
    },
  })
  const known = layouts.data?.result ?? []
  const { values } = form
  const undecided = { clearable: true, placeholder: t('payroll:profile.undecided'), inputWrapperOrder: order }
  const clear = (label: string) => ({
    clearButtonProps: { 'aria-label': `${label}: ${t('payroll:profile.undecided')}` },
  })
  return (
    <PageForm form={form} saving={props.saving} fields={inputs} cancel={props.children}>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Select
          label={t('payroll:profile.layout')}
          required
          allowDeselect={false}
          attributes={{ input: { translate: 'no' }, option: { translate: 'no' } }}
          data={known.map((layout) => ({ value: layout['layout-id'], label: layoutName(layout) }))}
          {...form.getInputProps('layout-id')}
        />
        <TextInput
          label={t('payroll:profile.day')}
          description={t('payroll:profile.dayHelp')}
          inputWrapperOrder={order}
          inputMode="numeric"
          autoComplete="off"
          {...form.getInputProps('payroll-day')}
        />
        <Select
          label={t('payroll:profile.basis')}
          description={t('payroll:profile.basisHelp')}
          inputWrapperOrder={order}
          allowDeselect={false}
          data={PAYROLL_BASES.map((value) => ({ value, label: t(`payroll:profile.basisOf.${value}`) }))}
          {...form.getInputProps('basis')}
        />
        {values.basis === 'effective-date' && (
          <TextInput
            label={t('payroll:profile.firstMonth')}
            description={t('payroll:profile.firstMonthHelp')}
            placeholder={t('payroll:monthPlaceholder')}
            inputWrapperOrder={order}
            required
            autoComplete="off"
            {...form.getInputProps('first-month')}
          />
        )}
        <Select
          label={t('payroll:profile.unpaidLeave')}
          {...undecided}
          {...clear(t('payroll:profile.unpaidLeave'))}
          data={UNPAID_LEAVES.map((value) => ({ value, label: t(`payroll:profile.unpaidLeaveOf.${value}`) }))}
          {...form.getInputProps('unpaid-leave')}
        />
        {values.basis === 'effective-date' && (
          <Select
            label={t('payroll:profile.taxFigures')}
            description={t('payroll:profile.taxFiguresHelp')}
            {...undecided}
            {...clear(t('payroll:profile.taxFigures'))}
            data={TAX_FIGURE_BASES.map((value) => ({ value, label: t(`payroll:profile.taxFiguresOf.${value}`) }))}
            {...form.getInputProps('tax-figures-by')}
          />
        )}
        <Select
          label={t('payroll:profile.finalLimit')}
          description={t('payroll:profile.finalLimitHelp')}
          {...undecided}
          placeholder={t('payroll:profile.noLimit')}
          {...clear(t('payroll:profile.finalLimit'))}
          data={FINAL_LIMITS.map((value) => ({ value, label: t(`payroll:profile.finalLimitOf.${value}`) }))}
          {...form.getInputProps('final-limit')}
        />
      </SimpleGrid>
      <SectionTitle mb={0}>{t('payroll:profile.events')}</SectionTitle>
      <Text size="sm">{t('payroll:profile.eventsHelp')}</Text>
      <SimpleGrid cols={{ base: 1, xs: 2, sm: 4 }}>
        <EventFields form={form} path="events" />
        <TextInput
          label={t('payroll:profile.eventOf.refund')}
          description={t('payroll:profile.refundHelp')}
          inputWrapperOrder={order}
          autoComplete="off"
          {...form.getInputProps('events.refund')}
        />
      </SimpleGrid>
      <TypeEvents form={form} taxId={props.taxId} />
    </PageForm>
  )
}
