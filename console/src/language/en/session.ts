export const session = {
  title: 'Sign in',
  clientId: 'Client id of the operator',
  clientSecret: 'Secret',
  submit: 'Sign in',
  identityProvider: 'Sign in with {{name}}',
  or: 'or',
  ended: 'Your session has ended. Sign in again to go on; what you typed stays.',
  refused: 'The client id or the secret is wrong, or the operator was removed.',
  providerErrors: {
    'identity-provider-unavailable': 'The identity provider does not respond. Try again in a few minutes.',
    'sign-in-expired': 'The sign-in took too long, or it was opened twice. Start it again.',
    'sign-in-without-role': 'The identity provider gave you no role in this service. Ask its administrator for one.',
    'client-revoked': 'This operator was removed.',
    other: 'The sign-in did not succeed. Start it again.',
  },
} as const
