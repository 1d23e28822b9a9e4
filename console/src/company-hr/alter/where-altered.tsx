import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { QueryView } from '../../components/state-view.tsx'
import { companyApi } from '../../entities/company-hr/client.ts'
import { companyMovements } from '../../entities/company-hr/movement-client.ts'
import { type MovementClient, MovementClientProvider } from '../../entities/movement-forms/client.ts'
import { signInOptionsQuery } from '../../session/sign-in-options.ts'

/** In production an alteration is asked of the broker: a draft stands for its request. */
const throughBroker: MovementClient = {
  ...companyMovements,
  alter: async (body, options) => {
    const { result, ...judged } = await companyApi.movementDrafts.create({ movement: 'alteration', ...body }, options)
    return result === undefined ? judged : { ...judged, 'request-id': result['draft-id'] }
  },
}

/** The form of an alteration. @param props.children gets whether the broker has to confirm it. */
export function WhereAltered(props: { readonly children: (throughBroker: boolean) => ReactNode }) {
  const query = useQuery(signInOptionsQuery)
  return (
    <QueryView query={query}>
      {({ environment }) => {
        const isProduction = environment === 'production'
        return (
          <MovementClientProvider value={isProduction ? throughBroker : companyMovements}>
            {props.children(isProduction)}
          </MovementClientProvider>
        )
      }}
    </QueryView>
  )
}
