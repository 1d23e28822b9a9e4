import {
  Button,
  Checkbox,
  Fieldset,
  Group,
  NumberInput,
  Radio,
  Select,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
} from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { HOLIDAY_SETS } from '../../../../src/kernel/business-days.ts'
import { NOT_BUSINESS_DAY_RULES } from '../../../../src/registry/rules/cut-off.ts'
import { DateField } from '../../components/date-field.tsx'
import type { ContractFields } from './contract-fields.ts'
import { newException } from './contract-values.ts'

const offsets = ['0', '1', '2'] as const
const days = { allowDecimal: false, allowNegative: false, clampBehavior: 'none', hideControls: true } as const
const order = ['label', 'input', 'description', 'error'] as ('label' | 'input' | 'description' | 'error')[]

/** The calendar of a contract: its rule and the exceptions. */
export function CalendarFields({ form }: { readonly form: ContractFields }) {
  const { t } = useTranslation('carriers')
  const { hasCalendar, calendar } = form.values
  return (
    <>
      <Checkbox label={t('form.hasCalendar')} {...form.getInputProps('hasCalendar', { type: 'checkbox' })} />
      {hasCalendar && (
        <>
          <Radio.Group label={t('form.ruleKind')} {...form.getInputProps('calendar.kind')}>
            <Group mt="xs">
              <Radio value="day" label={t('form.kindDay')} />
              <Radio value="before" label={t('form.kindBefore')} />
            </Group>
          </Radio.Group>
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            {calendar.kind === 'day' ? (
              <>
                <NumberInput
                  label={t('form.day')}
                  description={t('form.dayDescription')}
                  inputWrapperOrder={order}
                  required
                  {...days}
                  {...form.getInputProps('calendar.cut-off-day')}
                />
                <Select
                  label={t('form.whenNotBusinessDay')}
                  allowDeselect={false}
                  data={NOT_BUSINESS_DAY_RULES.map((value) => ({ value, label: t(`form.${value}`) }))}
                  {...form.getInputProps('calendar.when-not-business-day')}
                />
              </>
            ) : (
              <NumberInput
                label={t('form.before')}
                required
                {...days}
                {...form.getInputProps('calendar.cut-off-business-days-before-billing')}
              />
            )}
            <Select
              label={t('form.holidays')}
              allowDeselect={false}
              data={HOLIDAY_SETS.map((value) => ({ value, label: t(`form.${value}`) }))}
              {...form.getInputProps('calendar.holidays')}
            />
            <TextInput
              label={t('form.ownHolidays')}
              description={t('form.ownHolidaysDescription')}
              inputWrapperOrder={order}
              autoComplete="off"
              {...form.getInputProps('calendar.own-holidays')}
            />
            <NumberInput
              label={t('form.coverageDay')}
              required
              {...days}
              {...form.getInputProps('calendar.coverage-day')}
            />
            <Select
              label={t('form.coverageMonth')}
              allowDeselect={false}
              data={offsets.map((value) => ({ value, label: t(`form.offset.${value}`) }))}
              {...form.getInputProps('calendar.coverage-month-offset')}
            />
          </SimpleGrid>
          <Exceptions form={form} />
        </>
      )}
    </>
  )
}

function Exceptions({ form }: { readonly form: ContractFields }) {
  const { t } = useTranslation('carriers')
  return (
    <Fieldset legend={t('form.exceptions')}>
      <Stack gap="xs">
        <Text size="sm">{t('form.exceptionsDescription')}</Text>
        {form.values.calendar.exceptions.map(({ key, 'cut-off-date': date }, index) => (
          <Group key={key} align="flex-end">
            <TextInput
              label={t('form.exceptionMonth')}
              required
              autoComplete="off"
              {...form.getInputProps(`calendar.exceptions.${index}.month`)}
            />
            <DateField
              label={t('form.exceptionDate')}
              required
              value={date}
              onChange={(value) => form.setFieldValue(`calendar.exceptions.${index}.cut-off-date`, value)}
              error={form.errors[`calendar.exceptions.${index}.cut-off-date`] as string | undefined}
            />
            <Button
              variant="default"
              aria-label={t('form.removeException', { number: String(index + 1) })}
              onClick={() => form.removeListItem('calendar.exceptions', index)}
            >
              {t('form.remove')}
            </Button>
          </Group>
        ))}
        <Group>
          <Button variant="default" onClick={() => form.insertListItem('calendar.exceptions', newException())}>
            {t('form.addException')}
          </Button>
        </Group>
      </Stack>
    </Fieldset>
  )
}
