/** What clients of partners and operators have in common: a client id and secrets. */
export const accounts = {
  clientId: 'Client id',
  clientSecret: 'Secret',
  name: 'Name',
  createdAt: 'Created on',
  actions: 'Actions',
  actionsOf: 'Actions for {{name}}',
  copyClientId: 'Copy the client id',
  copyClientSecret: 'Copy the secret',
  shownOnceTitle: 'This secret is shown only now',
  shownOnce:
    'The service stores only a hash of it and cannot show it again. Copy it to the place where it will be used, or to a password manager. If it is lost, make a new one.',
  linkShownOnceTitle: 'This link is shown only now',
  isStored: 'I have stored the secret',
  isLinkStored: 'I have copied the link',
  done: 'Close',
  secrets: 'Secrets',
  secretsExplanation:
    'Two secrets are valid: the former one until it is ended, so that the change needs no interruption.',
  currentSecret: 'Current secret',
  formerSecret: 'Former secret, still valid',
  rotate: 'New secret',
  rotateTitle: 'New secret for {{name}}',
  rotateExplanation:
    'The current secret stays valid beside the new one until you end it. The new secret is shown once, in the next step.',
  rotateEndsFormer: 'There are two secrets already: the one of {{date}} stops being valid at once.',
  endFormer: 'End the former secret',
  endFormerTitle: 'End the former secret of {{name}}',
  endFormerExplanation:
    'The secret of {{date}} is refused from now on. Do this once the new secret is in use. Tokens that were issued for it stay valid until they expire.',
  formerEnded: 'The former secret of {{name}} has ended.',
} as const
