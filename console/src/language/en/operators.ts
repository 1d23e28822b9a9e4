export const operators = {
  title: 'Programs',
  you: 'you',
  role: 'Role',
  twoSecrets: 'two secrets',
  create: 'Create operator',
  createTitle: 'Create an operator',
  created: 'Operator {{name}} created',
  nameDescription: 'A person or a team, as it is shown in histories and in the audit.',
  changeRole: 'Change the role',
  roleTitle: 'Role of {{name}}',
  roleAtOnce: 'The new role holds from the next call of the operator on.',
  ownRole: 'This is your own role: you may lose access to this page.',
  roleChanged: '{{name}} now has the role {{role}}.',
  endSessions: 'End all sessions',
  endSessionsTitle: 'End all sessions of {{name}}',
  endSessionsExplanation:
    'The operator is signed out of all browsers at once. Tokens of scripts stay valid until they expire.',
  endOwnSessionsExplanation:
    'You are signed out of all browsers at once, also of this one. Tokens of scripts stay valid until they expire.',
  sessionsEnded: 'The sessions of {{name}} have ended.',
  remove: 'Remove operator',
  removeTitle: 'Remove {{name}}',
  removeExplanation:
    'The next call of the operator is refused. This cannot be undone. What the operator did stays in histories and in the audit.',
  removeSelf: 'This is your own access: you are signed out.',
  removed: 'The operator {{name}} was removed.',
} as const
