import type { shell as english } from '../en/shell.ts'
import type { TextsOf } from '../texts-of.ts'

export const shell: TextsOf<typeof english> = {
  name: 'Vigencia',
  skipToContent: 'Ir para o conteúdo',
  navigation: 'Áreas',
  openNavigation: 'Abrir a navegação',
  closeNavigation: 'Fechar a navegação',
  language: 'Idioma',
  theme: 'Tema',
  themeLight: 'Claro',
  themeDark: 'Escuro',
  themeAuto: 'Como o sistema',
  account: 'Conta',
  signOut: 'Sair',
  signedInAs: 'Sessão de',
  staging: 'Ambiente de testes',
  offline: 'Sem conexão com a rede. Os dados podem estar desatualizados; nada pode ser salvo.',
  areas: {
    overview: 'Visão geral',
    queue: 'Fila',
    requests: 'Solicitações',
    members: 'Beneficiários',
    companies: 'Empresas',
    clients: 'Clientes',
    operators: 'Operadores',
    carriers: 'Operadoras',
    invoices: 'Faturas',
    imports: 'Importações',
    webhooks: 'Webhooks',
    audit: 'Auditoria',
  },
}
