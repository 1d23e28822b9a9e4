import { Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useOperation } from '../../api/use-operation.ts'
import { ButtonLink, TextLink } from '../../components/link.tsx'
import { PlainTable, plain, topAligned } from '../../components/plain-table.tsx'
import { QueryView } from '../../components/state-view.tsx'
import { DateValue, Value } from '../../components/value.tsx'
import { usePermission } from '../../session/use-permission.ts'
import type { ContributionRule } from './contribution-values.ts'
import { contributionWords } from './contribution-words.ts'
import type { Contract } from './price-values.ts'

/** What employees pay of the prices of a contract: each rule in a sentence. */
export function ContributionRules({ contract }: { readonly contract: Contract }) {
  const { t } = useTranslation('prices')
  const { 'contract-id': contractId, 'company-tax-id': taxId } = contract
  const mayWrite = usePermission('putContributionRule')
  const company = useOperation('readAnyCompany', { path: [taxId] })
  const query = useOperation('listContributionRules', { query: { 'contract-id': contractId, 'items-per-page': 500 } })
  const productName = (id: string | null) =>
    id === null
      ? null
      : (company.data?.result.products.find((one) => one['product-id'] === id)?.['product-name'] ?? t('formerProduct'))
  return (
    <QueryView query={query}>
      {({ result }) => (
        <Stack gap="sm" align="flex-start">
          {result.length === 0 ? (
            <Text size="sm">{t('noRules')}</Text>
          ) : (
            <PlainTable<ContributionRule>
              label={t('rules')}
              miw="32rem"
              items={result}
              idOf={(rule) => rule['contribution-rule-id']}
              rowOf={topAligned}
              columns={[
                plain(
                  t('validFrom'),
                  (rule) =>
                    mayWrite ? (
                      <TextLink
                        to="/carriers/contracts/$contractId/contributions/$ruleId"
                        params={{ contractId, ruleId: rule['contribution-rule-id'] }}
                      >
                        <DateValue value={rule['valid-from']} />
                      </TextLink>
                    ) : (
                      <DateValue value={rule['valid-from']} />
                    ),
                  { className: 'nowrap' },
                ),
                plain(t('whatItDoes'), (rule) => (
                  <Value>{contributionWords(t, rule, productName(rule['product-id']))}</Value>
                )),
              ]}
            />
          )}
          {mayWrite && (
            <ButtonLink
              to="/carriers/contracts/$contractId/contributions/new"
              params={{ contractId }}
              variant="default"
              size="sm"
            >
              {t('addRule')}
            </ButtonLink>
          )}
        </Stack>
      )}
    </QueryView>
  )
}
