/* What carriers call the columns of their answers, and what they say. */
import type { AcknowledgementColumn, AcknowledgementOutcome } from '#registry/rules/acknowledgement.ts'
import { foldHeading } from '#kernel/heading.ts'
import type { Words } from '#movements/rules/import-words.ts'
import { byWord, headingWords } from './heading-words.ts'

/** Headings that carriers use, beside the names, as `keyOf` compares them. */
export const ACKNOWLEDGEMENT_HEADINGS: Words<AcknowledgementColumn> = {
  'enrollment-id': ['id da movimentação', 'identificador da movimentação'],
  position: ['posição', 'item', 'sequência', 'sequencial', 'linha'],
  'tax-id': ['cpf', 'cpf do beneficiário', 'cpf do usuário', 'cpf do segurado', 'cpf da vida', 'documento'],
  'product-name': ['produto', 'plano', 'nome do plano', 'nome do produto', 'descrição do plano'],
  'carrier-plan-code': ['código do plano', 'cód. do plano', 'código do produto'],
  outcome: ['situação', 'status', 'resultado', 'situação da movimentação', 'situação do beneficiário', 'retorno'],
  'card-number': [
    'carteirinha',
    'carteira',
    'cartão',
    'matrícula',
    'carteira do beneficiário',
    'carteirinha do beneficiário',
    'cartão do beneficiário',
    'carteira de identificação',
    'código do beneficiário',
    'matrícula do beneficiário',
    'marca ótica',
  ],
  'start-date': [
    'início',
    'data de início',
    'início de vigência',
    'data de início de vigência',
    'data de vigência',
    'vigência',
    'data de inclusão',
    'data de adesão',
    'início de cobertura',
  ],
  'end-date': [
    'fim',
    'data de fim',
    'fim de vigência',
    'data de fim de vigência',
    'término',
    'data de término',
    'data de cancelamento',
    'data de exclusão',
  ],
  code: ['código', 'código da crítica', 'código do erro', 'código de retorno', 'cód. crítica', 'cód. erro'],
  message: [
    'mensagem',
    'crítica',
    'descrição da crítica',
    'motivo',
    'motivo da recusa',
    'descrição do erro',
    'observação',
    'mensagem de retorno',
    'descrição',
  ],
  protocol: ['protocolo'],
}

/** What carriers say of a movement. */
export const OUTCOME_WORDS: Words<AcknowledgementOutcome> = {
  accepted: [
    ...pair('aceito'),
    'aceite',
    'ok',
    'sucesso',
    ...pair('processado'),
    ...pair('efetivado'),
    ...pair('implantado'),
    ...pair('incluído'),
    ...pair('incluso'),
    ...pair('excluído'),
    ...pair('alterado'),
    ...pair('cadastrado'),
    ...pair('aprovado'),
    ...pair('deferido'),
    ...pair('concluído'),
    ...pair('confirmado'),
    ...pair('ativo'),
  ],
  refused: [
    ...pair('recusado'),
    ...pair('rejeitado'),
    ...pair('negado'),
    ...pair('indeferido'),
    ...pair('reprovado'),
    ...pair('devolvido'),
    ...pair('criticado'),
    ...pair('inválido'),
    'não aceito',
    'não processado',
    'não implantado',
    'não incluído',
    'com crítica',
    'erro',
    'falha',
  ],
  'in-analysis': [
    'em análise',
    'análise',
    'em processamento',
    'processando',
    'em andamento',
    'aguardando',
    'aguardando análise',
    'aguardando processamento',
    ...pair('recebido'),
  ],
}

function pair(masculine: string): readonly string[] {
  return [masculine, masculine.replace(/o$/, 'a')]
}

const headings = headingWords(ACKNOWLEDGEMENT_HEADINGS)
const byOutcome = byWord(OUTCOME_WORDS)

/** The column that a heading is known to name. */
export const knownColumnOf = headings.known

/** The column whose heading is the nearest one; null when none is near. */
export const proposedColumnOf = headings.proposed

/** The outcome that a word is known to mean. */
export const knownOutcomeOf = (word: string): AcknowledgementOutcome | undefined => byOutcome.get(foldHeading(word))
