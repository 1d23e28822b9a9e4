import { Spotlight } from '@mantine/spotlight'
import IconUser from 'icon:user'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { Item } from '@vigencia/client'
import { useTranslation } from 'react-i18next'
import { MIN_SEARCH_CHARACTERS } from '../../../src/kernel/search.ts'
import { parseCpf } from '../../../src/kernel/tax-id.ts'
import { companyQuery } from '../entities/company-hr/client.ts'
import { useCompany } from '../entities/company-hr/use-company.ts'
import { formatCpf, plainTaxId } from '../format/tax-id.ts'

const maxShown = 8

const nobody: readonly Item<'listMembers'>[] = []

/** The people of the chosen company, for the people of companies, whom a name, an e-mail address, an employee id or a CPF names. */
export function useFoundPeople(q: string, isOfCompanies: boolean): readonly Item<'listMembers'>[] {
  const { company } = useCompany(isOfCompanies)
  const cpf = /^[\d.\s-]+$/.test(q) ? parseCpf(plainTaxId(q)) : null
  const isSearch = isOfCompanies && company !== null && q.length >= MIN_SEARCH_CHARACTERS
  const people = useQuery({
    ...companyQuery('listMembers', {
      query: {
        'company-tax-id': company?.['tax-id'] ?? '',
        'include-inactive': true,
        'items-per-page': maxShown,
        ...(cpf === null ? { q } : { filter: `tax-id=${cpf}` }),
      },
    }),
    enabled: isSearch,
    placeholderData: keepPreviousData,
    // What was typed may be a CPF: it is not kept.
    gcTime: 0,
  })
  return (isSearch ? people.data?.result : undefined) ?? nobody
}

/** The people that a search found, for the people of companies. */
export function FoundPeople({ people }: { readonly people: readonly Item<'listMembers'>[] }) {
  const { t } = useTranslation('shell')
  const navigate = useNavigate()
  if (people.length === 0) return null
  return (
    <Spotlight.ActionsGroup label={t('commands.types.member')}>
      {people.map(({ id, profile }) => (
        <Spotlight.Action
          key={id}
          translate="no"
          label={profile.name}
          description={formatCpf(profile['tax-id'])}
          leftSection={<IconUser size={18} stroke={1.6} aria-hidden />}
          onClick={() => void navigate({ to: '/hr/people/$memberId', params: { memberId: id } })}
        />
      ))}
    </Spotlight.ActionsGroup>
  )
}
