import type { session as english } from '../en/session.ts'
import type { TextsOf } from '../texts-of.ts'

export const session: TextsOf<typeof english> = {
  title: 'Entrar',
  clientId: 'Client id do operador',
  clientSecret: 'Segredo',
  submit: 'Entrar',
  identityProvider: 'Entrar com {{name}}',
  or: 'ou',
  ended: 'A sessão terminou. Entre de novo para continuar; o que você digitou permanece.',
  refused: 'O client id ou o segredo está errado, ou o operador foi removido.',
  providerErrors: {
    'identity-provider-unavailable': 'O provedor de identidade não responde. Tente de novo em alguns minutos.',
    'sign-in-expired': 'A entrada demorou demais ou foi aberta duas vezes. Comece de novo.',
    'sign-in-without-role':
      'O provedor de identidade não deu a você um papel neste serviço. Peça um ao administrador dele.',
    'client-revoked': 'Este operador foi removido.',
    other: 'A entrada não foi concluída. Comece de novo.',
  },
}
