import type { UseFormReturnType } from '@mantine/form'
import type { ComponentProps } from 'react'
import { DateField } from '../components/date-field.tsx'
import { MoneyField } from '../components/money-field.tsx'
import { CompanySelect } from '../entities/companies/company-select.tsx'

/** What @mantine/form gives an input, in the words of the fields of the console: without a path of its own and `defaultValue`. */
function bound<Values, Name extends keyof Values & string>(form: UseFormReturnType<Values>, name: Name) {
  return {
    value: form.values[name] as never,
    error: form.errors[name] as string | undefined,
    onChange: (value: unknown) => form.setFieldValue(name, value as never),
  }
}

type OfField<Values, Props> = Omit<Props, 'value' | 'onChange' | 'error'> & {
  readonly form: UseFormReturnType<Values>
  readonly name: keyof Values & string
}

export const DayInput = <Values,>({ form, name, ...props }: OfField<Values, ComponentProps<typeof DateField>>) => (
  <DateField {...props} {...bound(form, name)} />
)
export const MoneyInput = <Values,>({ form, name, ...props }: OfField<Values, ComponentProps<typeof MoneyField>>) => (
  <MoneyField {...props} {...bound(form, name)} />
)
export const CompanyInput = <Values,>({
  form,
  name,
  ...props
}: OfField<Values, ComponentProps<typeof CompanySelect>>) => <CompanySelect {...props} {...bound(form, name)} />
