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
    'role-missing': 'The identity provider gave you no role in this service. Ask its administrator for one.',
    'operator-removed': 'This operator was removed.',
    unavailable: 'The identity provider does not respond. Try again in a few minutes.',
    other: 'The sign-in did not succeed. Start it again.',
  },
} as const
