import type { operators as english } from '../en/operators.ts'
import type { TextsOf } from '../texts-of.ts'

export const operators: TextsOf<typeof english> = {
  title: 'Programas',
  you: 'você',
  role: 'Perfil',
  twoSecrets: 'dois segredos',
  create: 'Criar operador',
  createTitle: 'Criar um operador',
  created: 'Operador {{name}} criado',
  nameDescription: 'Uma pessoa ou equipe, como aparece nos históricos e na auditoria.',
  changeRole: 'Mudar o perfil',
  roleTitle: 'Perfil de {{name}}',
  roleAtOnce: 'O novo perfil vale já na próxima chamada do operador.',
  ownRole: 'Este é o seu próprio perfil: você pode perder o acesso a esta página.',
  roleChanged: '{{name}} agora tem o perfil {{role}}.',
  endSessions: 'Encerrar todas as sessões',
  endSessionsTitle: 'Encerrar todas as sessões de {{name}}',
  endSessionsExplanation:
    'O operador sai imediatamente de todos os navegadores. Tokens de scripts continuam válidos até expirar.',
  endOwnSessionsExplanation:
    'Você sai imediatamente de todos os navegadores, inclusive deste. Tokens de scripts continuam válidos até expirar.',
  sessionsEnded: 'As sessões de {{name}} foram encerradas.',
  remove: 'Remover operador',
  removeTitle: 'Remover {{name}}',
  removeExplanation:
    'A próxima chamada do operador é recusada. Não é possível desfazer. O que ele fez permanece nos históricos e na auditoria.',
  removeSelf: 'Este é o seu próprio acesso: a sua sessão termina.',
  removed: 'O operador {{name}} foi removido.',
}
