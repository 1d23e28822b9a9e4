/** SQL: an `onboarding_invitation` whose submission has the person, a CPF, as a dependent. */
export const isInSubmission = (taxId: string) => `jsonb_typeof(onboarding_invitation.submission->'dependents') = 'array'
  and onboarding_invitation.submission->'dependents' @> jsonb_build_array(jsonb_build_object('tax-id', ${taxId}))`
