import { useQuery } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import { QueryView } from '../../components/state-view.tsx'
import { companyApi } from '../../entities/company-hr/client.ts'
import { companyMovements } from '../../entities/company-hr/movement-client.ts'
import { OfPerson } from '../../entities/company-hr/of-person.tsx'
import type { AlteredPerson } from '../../entities/movement-forms/alteration-form.tsx'
import { type MovementClient, MovementClientProvider } from '../../entities/movement-forms/client.ts'
import { KeptForm } from '../../forms/kept-draft.tsx'
import { signInOptionsQuery } from '../../session/sign-in-options.ts'
import { AlterationOutcome } from './alteration-outcome.tsx'

/** In production an alteration is asked of the broker: a draft stands for its request. */
const throughBroker: MovementClient = {
  ...companyMovements,
  alter: async (body, options) => {
    const { result, ...judged } = await companyApi.movementDrafts.create({ movement: 'alteration', ...body }, options)
    return result === undefined ? judged : { ...judged, 'request-id': result['draft-id'] }
  },
}

/** A page that alters a person: the form, and what became of it. In production the broker has to confirm it. */
export function AlterationOfPerson(props: {
  readonly memberId: string
  readonly title: string
  readonly form: ComponentType<AlteredPerson>
}) {
  const { memberId, title, form: Form } = props
  const query = useQuery(signInOptionsQuery)
  return (
    <OfPerson memberId={memberId} title={title}>
      {(member, company) => (
        <QueryView query={query}>
          {({ environment }) => {
            const isDraft = environment === 'production'
            return (
              <MovementClientProvider value={isDraft ? throughBroker : companyMovements}>
                <KeptForm key={memberId} name={`${title} ${company['tax-id']} ${memberId}`}>
                  <Form
                    member={member}
                    company={company}
                    sent={({ 'request-id': id }, names) => (
                      <AlterationOutcome id={id} isDraft={isDraft} names={names} memberId={memberId} />
                    )}
                  />
                </KeptForm>
              </MovementClientProvider>
            )
          }}
        </QueryView>
      )}
    </OfPerson>
  )
}
