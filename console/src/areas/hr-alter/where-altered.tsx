import { Alert } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Company, MemberDetail } from '@vigencia/client'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { QueryView } from '../../components/state-view.tsx'
import { signInOptionsQuery } from '../../session/sign-in-options.ts'

/** The form of an alteration, which the interface has in staging only; in production what to do instead. */
export function WhereAltered(props: {
  readonly member: MemberDetail
  readonly company: Company
  readonly children: ReactNode
}) {
  const { t } = useTranslation('hr')
  const query = useQuery(signInOptionsQuery)
  return (
    <QueryView query={query}>
      {({ environment }) =>
        environment === 'staging' ? (
          props.children
        ) : (
          <Alert color="blue" variant="default" title={t('notInProduction')}>
            {t('notInProductionText')}
          </Alert>
        )
      }
    </QueryView>
  )
}
