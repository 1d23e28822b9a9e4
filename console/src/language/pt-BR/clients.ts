import type { clients as english } from '../en/clients.ts'
import type { TextsOf } from '../texts-of.ts'

export const clients: TextsOf<typeof english> = {
  title: 'Clientes',
  titleOfOne: 'Cliente',
  explanation:
    'Os sistemas de parceiros, como uma folha de pagamento, que chamam a API. Cada um se autentica com o seu client id e segredo e só alcança as empresas às quais tem acesso.',
  empty: 'Ainda não há clientes. Crie um para cada sistema de parceiro.',
  create: 'Criar cliente',
  createTitle: 'Criar um cliente',
  created: 'Cliente {{name}} criado',
  nameDescription: 'O parceiro ou o sistema dele, como aparece nas listas e na auditoria.',
  companies: 'Empresas',
  companiesDescription: 'Busque por nome ou CNPJ.',
  companiesPlaceholder: 'Nome ou CNPJ',
  clearCompanies: 'Remover todas as empresas',
  searching: 'Buscando…',
  noCompanyFound: 'Nenhuma empresa encontrada',
  twoSecrets: '2, um a encerrar',
  entitlements: 'Empresas com acesso',
  noEntitlement: 'O cliente não tem acesso a nenhuma empresa: toda chamada sobre uma empresa é recusada.',
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
  revoke: 'Revogar cliente',
  revokeTitle: 'Revogar {{name}}',
  revokeExplanation:
    'A próxima chamada com um dos seus tokens é recusada, e os seus segredos deixam de valer. Não é possível desfazer: o parceiro precisará de um novo cliente.',
  typeName: 'Digite o nome para confirmar: {{name}}',
  revoked: 'O cliente {{name}} foi revogado.',
}
