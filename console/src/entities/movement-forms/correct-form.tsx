import { List, SimpleGrid } from '@mantine/core'
import { REGISTRATION_FIELDS } from '../../../../src/movements/rules/alteration-data.ts'
import { profileKey } from '../../../../src/movements/rules/alteration-data.ts'
import { fieldName } from '../../components/field-words.ts'
import { type Values, written } from './field-types.ts'
import { textOf } from './offenses.ts'
import { RegistrationInput } from './registration-input.tsx'
import { Value } from '../../components/value.tsx'
import { useKept } from '../../forms/kept-draft.tsx'
import { AlterationForm, type AlteredPerson } from './alteration-form.tsx'

const fields = Object.keys(REGISTRATION_FIELDS)

/** The registration data of a person as the company has them; what is changed is sent. */
export function CorrectForm({ member, company, sent }: AlteredPerson) {
  const own: Readonly<Record<string, unknown>> = {
    ...member.profile,
    ...member.registrations.find((one) => one['company-tax-id'] === company['tax-id']),
  }
  const held = Object.fromEntries(fields.map((field) => [field, own[profileKey(field)] ?? null])) as Values
  const [values, setValues] = useKept<Values>('values', () => held)
  const data = written(Object.fromEntries(Object.entries(values).filter(([field, value]) => value !== held[field])))
  return (
    <AlterationForm
      member={member}
      company={company}
      sent={sent}
      data={data}
      shown={fields}
      summary={
        <List size="sm">
          {Object.keys(data).map((field) => (
            <List.Item key={field}>
              <Value>{fieldName(field)}</Value>
            </List.Item>
          ))}
        </List>
      }
    >
      {(offenses, changed) => (
        <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="sm" verticalSpacing="xs">
          {fields.map((field) => (
            <RegistrationInput
              key={field}
              name={field}
              value={values[field] ?? null}
              error={textOf(offenses, field)}
              onChange={(value) => {
                setValues((former) => ({ ...former, [field]: value }))
                changed()
              }}
            />
          ))}
        </SimpleGrid>
      )}
    </AlterationForm>
  )
}
