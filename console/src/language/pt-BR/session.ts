import type { session as english } from '../en/session.ts'
import type { TextsOf } from '../texts-of.ts'

export const session: TextsOf<typeof english> = {
  title: 'Entrar',
  password: 'Senha',
  clientId: 'Client id',
  clientSecret: 'Segredo',
  byProgram: 'Entrar com um programa',
  byEmail: 'Entrar com e-mail e senha',
  showPassword: 'Mostrar ou ocultar',
  invitationTitle: 'Boas-vindas',
  newPasswordTitle: 'Nova senha',
  welcome: '{{name}}, escolha a senha com que você entra.',
  email: 'E-mail',
  newPassword: 'Senha',
  passwordRule: '12 caracteres ou mais. Algumas palavras que você lembra são melhores do que sinais.',
  setPassword: 'Definir a senha e entrar',
  linkExpired: 'Este link expirou, já foi usado ou foi trocado por um mais novo. Peça um novo link a um administrador.',
  submit: 'Entrar',
  identityProvider: 'Entrar com {{name}}',
  or: 'ou',
  passkey: 'Entrar com chave de acesso',
  passkeyCancelled: 'A chave de acesso não foi usada: você cancelou, ou o tempo acabou.',
  ended: 'A sessão terminou. Entre de novo para continuar; o que você digitou permanece.',
  refused:
    'O nome ou a senha está errado, ou o acesso terminou. Quem esqueceu a senha pede um link a um administrador.',
  providerErrors: {
    'identity-provider-unavailable': 'O provedor de identidade não responde. Tente de novo em alguns minutos.',
    'sign-in-expired': 'A entrada demorou demais ou foi aberta duas vezes. Comece de novo.',
    'sign-in-without-role':
      'O provedor de identidade não deu a você um perfil neste serviço. Peça um ao administrador dele.',
    'client-revoked': 'Este operador foi removido.',
    other: 'A entrada não foi concluída. Comece de novo.',
  },
}
