import type { clients as english } from '../en/clients.ts'
import type { TextsOf } from '../texts-of.ts'

export const clients: TextsOf<typeof english> = {
  title: 'Integrações',
  titleOfOne: 'Integração',
  explanation:
    'Os sistemas de parceiros, como uma folha de pagamento, que chamam a API. Cada um se autentica com o seu client id e segredo e só alcança as empresas às quais tem acesso.',
  empty: 'Ainda não há integrações. Crie uma para cada sistema de parceiro.',
  create: 'Criar integração',
  createTitle: 'Criar uma integração',
  created: 'Integração {{name}} criada',
  nameDescription: 'O parceiro ou o sistema dele, como aparece nas listas e na auditoria.',
  companies: 'Empresas',
  companiesDescription: 'Busque por nome ou CNPJ.',
  companiesPlaceholder: 'Nome ou CNPJ',
  clearCompanies: 'Remover todas as empresas',
  searching: 'Buscando…',
  noCompanyFound: 'Nenhuma empresa encontrada',
  twoSecrets: '2, um a encerrar',
  entitlements: 'Empresas com acesso',
  noEntitlement: 'A integração não tem acesso a nenhuma empresa: toda chamada sobre uma empresa é recusada.',
  taxId: 'CNPJ',
  company: 'Empresa',
  access: 'Acesso',
  grant: 'Adicionar empresas',
  grantTitle: 'Empresas para {{name}}',
  grantAction: 'Conceder acesso',
  granted_one: 'Acesso a {{count}} empresa concedido.',
  granted_other: 'Acesso a {{count}} empresas concedido.',
  endEntitlement: 'Encerrar acesso',
  endEntitlementOf: 'Encerrar acesso a {{company}}',
  endEntitlementTitle: 'Encerrar o acesso a uma empresa',
  endEntitlementExplanation:
    '{{name}} deixa de alcançar a empresa {{company}} já na próxima chamada. Beneficiários e movimentações continuam como estão.',
  entitlementEnded: 'O acesso a {{company}} foi encerrado.',
  revoke: 'Revogar integração',
  revokeTitle: 'Revogar {{name}}',
  revokeExplanation:
    'A próxima chamada com um dos seus tokens é recusada, e os seus segredos deixam de valer. Não é possível desfazer: o parceiro precisará de uma nova integração.',
  typeName: 'Digite o nome para confirmar: {{name}}',
  revoked: 'A integração {{name}} foi revogada.',
}
