import { Checkbox, Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { CompanyPicker } from '../../entities/companies/company-picker.tsx'
import { type PersonRole } from './person.ts'
import { RoleField } from '../../entities/accounts/role-field.tsx'

/** What a person may do, and for which companies. */
export interface PersonAccess {
  readonly role: PersonRole
  readonly 'company-tax-ids': readonly string[]
  readonly 'see-money': boolean
}

/** The role and, of `company-hr`, the companies. @param props.roles that may be chosen; one is not asked for. */
export function PersonFields(props: {
  readonly value: PersonAccess
  readonly onChange: (value: PersonAccess) => void
  readonly roles: readonly PersonRole[]
  readonly companiesError?: string | undefined
}) {
  const { value, onChange, roles } = props
  const { t } = useTranslation(['people', 'terms'])
  return (
    <Stack>
      {roles.length > 1 && (
        <RoleField roles={roles} value={value.role} onChange={(role) => onChange({ ...value, role })} />
      )}
      {value.role === 'company-hr' && (
        <>
          <CompanyPicker
            label={t('people:companies')}
            value={value['company-tax-ids']}
            onChange={(taxIds) => onChange({ ...value, 'company-tax-ids': taxIds })}
            error={props.companiesError}
          />
          <Checkbox
            label={t('people:seeMoney')}
            checked={value['see-money']}
            onChange={({ currentTarget: { checked } }) => onChange({ ...value, 'see-money': checked })}
          />
        </>
      )}
    </Stack>
  )
}

/** The part of a body: companies are those of `company-hr` only. */
export function accessBody({ role, ...companies }: PersonAccess) {
  const ofCompany = { 'company-tax-ids': [...companies['company-tax-ids']], 'see-money': companies['see-money'] }
  return role === 'company-hr' ? { role, ...ofCompany } : { role }
}
