import { Button, Group, Stack, Text } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../../components/dialog.tsx'
import { CpfValue, Value } from '../../components/value.tsx'
import type { Values } from '../movement-forms/field-types.ts'
import { RegistrationInput } from '../movement-forms/registration-input.tsx'
import type { DraftItem } from '../movement-drafts/draft.ts'
import { nameOf } from './classes.ts'
import { exclusionFields } from './given.ts'

/** What one item can be given: what it lacks; of an exclusion its day and reason, of an inclusion when it starts. */
const usualOf = ({ movement, class: name }: DraftItem): readonly string[] => {
  if (movement === 'exclusion') return ['end-date', 'exclusion-reason']
  if (movement === 'inclusion') return ['start-option']
  return name === 'plan-change' ? ['start-date'] : []
}

/** Fills in what one item lacks. It is sent with the confirmation. */
export function ItemValuesDialog(props: {
  readonly item: DraftItem
  readonly values: Values
  readonly onSave: (values: Values) => void
  readonly onClose: () => void
}) {
  const { t } = useTranslation('rosters')
  const { item, onSave, onClose } = props
  const [values, setValues] = useState(props.values)
  const needs = [...new Set([...usualOf(item), ...item.needs])]
  const fields = item.movement === 'exclusion' ? exclusionFields(values, needs) : needs
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSave(Object.fromEntries(Object.entries(values).filter(([field]) => fields.includes(field))))
    onClose()
  }
  return (
    <Dialog onClose={onClose} title={t('fillTitle')}>
      <form onSubmit={submit}>
        <Stack gap="sm">
          <Text size="sm">
            <Value>{nameOf(item)}</Value> · <CpfValue value={item['tax-id']} />
          </Text>
          {fields.length === 0 && <Text size="sm">{t('nothingToFill')}</Text>}
          {fields.map((field) => (
            <RegistrationInput
              key={field}
              name={field}
              value={values[field] ?? null}
              onChange={(value) => setValues((former) => ({ ...former, [field]: value }))}
            />
          ))}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('close')}
            </Button>
            {fields.length > 0 && <Button type="submit">{t('keep')}</Button>}
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
