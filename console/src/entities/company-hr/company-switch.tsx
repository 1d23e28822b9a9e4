import { Select, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { TextValue } from '../../components/value.tsx'
import { formatCnpj } from '../../../../src/kernel/tax-id.ts'
import { useCompany } from './use-company.ts'

/** Which of the companies of the person the pages are about. */
export default function CompanySwitch() {
  const { t } = useTranslation('shell')
  const { company, companies, choose } = useCompany()
  if (company === null) return null
  if (companies.length === 1) {
    return (
      <Text size="sm" fw={600} px={6} pb={6} className="company-name">
        <TextValue value={company.name} />
      </Text>
    )
  }
  return (
    <Select
      label={t('company')}
      px={6}
      pb={6}
      searchable
      allowDeselect={false}
      limit={50}
      nothingFoundMessage={t('commands.nothing')}
      attributes={{ input: { translate: 'no' }, option: { translate: 'no' } }}
      data={companies.map(({ name, 'tax-id': taxId }) => ({ value: taxId, label: `${name} · ${formatCnpj(taxId)}` }))}
      value={company['tax-id']}
      onChange={(taxId) => {
        if (taxId !== null) choose(taxId)
      }}
    />
  )
}
