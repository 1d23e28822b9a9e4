import type { accounts as english } from '../en/accounts.ts'
import type { TextsOf } from '../texts-of.ts'

export const accounts: TextsOf<typeof english> = {
  clientId: 'Client id',
  clientSecret: 'Segredo',
  name: 'Nome',
  createdAt: 'Criado em',
  actions: 'Ações',
  actionsOf: 'Ações para {{name}}',
  copyClientId: 'Copiar o client id',
  copyClientSecret: 'Copiar o segredo',
  shownOnceTitle: 'Este segredo só aparece agora',
  shownOnce:
    'O serviço guarda apenas um hash e não consegue mostrá-lo de novo. Copie o segredo para onde ele será usado ou para um gerenciador de senhas. Se ele for perdido, crie um novo.',
  linkShownOnceTitle: 'Este link só aparece agora',
  isStored: 'Guardei o segredo',
  isLinkStored: 'Copiei o link',
  done: 'Fechar',
  secrets: 'Segredos',
  secretsExplanation:
    'Dois segredos são válidos: o anterior vale até ser encerrado, para que a troca não interrompa nada.',
  currentSecret: 'Segredo atual',
  formerSecret: 'Segredo anterior, ainda válido',
  rotate: 'Novo segredo',
  rotateTitle: 'Novo segredo para {{name}}',
  rotateExplanation:
    'O segredo atual continua válido ao lado do novo até ser encerrado. O novo segredo aparece uma única vez, no próximo passo.',
  rotateEndsFormer: 'Já existem dois segredos: o de {{date}} deixa de valer imediatamente.',
  endFormer: 'Encerrar o segredo anterior',
  endFormerTitle: 'Encerrar o segredo anterior de {{name}}',
  endFormerExplanation:
    'O segredo de {{date}} passa a ser recusado. Faça isso quando o novo segredo já estiver em uso. Tokens emitidos com ele valem até expirar.',
  formerEnded: 'O segredo anterior de {{name}} foi encerrado.',
}
