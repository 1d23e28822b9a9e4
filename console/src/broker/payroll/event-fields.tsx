import { TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { ownEvents, type ProfileValues } from './profile-values.ts'

/** The fields of the numbers of the deductions. @param props.type of products, in words, that has numbers of its own. */
export function EventFields(props: {
  readonly form: UseFormReturnType<ProfileValues>
  readonly path: string
  readonly type?: string
}) {
  const { t } = useTranslation('payroll')
  const { form, path, type } = props
  return ownEvents.map((name) => {
    const event = t(`profile.eventOf.${name}`)
    return (
      <TextInput
        key={name}
        label={event}
        {...(type === undefined ? {} : { 'aria-label': t('profile.eventOfType', { event, type }) })}
        required
        autoComplete="off"
        maxLength={20}
        {...form.getInputProps(`${path}.${name}`)}
      />
    )
  })
}
