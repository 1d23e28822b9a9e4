import type { LocalDate } from '#kernel/calendar.ts'
import type { BeneficiaryType } from '#kernel/enums.ts'
import type { Deadline } from '../rules/deadline.ts'
import { type Paragraph, writePdf } from '#platform/pdf/write.ts'

/*
 * What a beneficiary who asks for the exclusion must learn (RN ANS 561/2022), in Portuguese. It is a template: a lawyer must read it before it is used.
 */

export interface NoticeFacts {
  readonly companyName: string
  readonly companyTaxId: string
  readonly memberName: string
  readonly memberType: BeneficiaryType
  readonly productName: string
  readonly carrierName: string
  readonly requestedOn: LocalDate
  readonly endDate: LocalDate
}

/** The items a to g of the norm. */
const items: readonly string[] = [
  'a) Novas carências: em um novo plano de saúde, você pode ter de cumprir novos períodos de carência (Lei 9.656/1998, art. 12, V).',
  'b) Portabilidade: com a exclusão a pedido, você pode perder o direito de levar as carências já cumpridas para outro plano, salvo se a portabilidade for o ' +
    'motivo do pedido (RN ANS 438/2018).',
  'c) Declaração de saúde: em um novo plano, você pode ter de preencher outra declaração. Se houver doença ou lesão preexistente, a cobertura de procedimentos ' +
    'de alta complexidade, leitos de alta tecnologia e cirurgias ligados a ela pode ficar suspensa por até 24 meses (cobertura parcial temporária).',
  'd) Remissão: se você tem direito à remissão, ele se perde de imediato, e as mensalidades de um novo plano são suas.',
  'e) Efeito: o pedido tem efeito imediato e é irrevogável a partir do momento em que a operadora ou a administradora toma conhecimento dele.',
  'f) Valores em aberto: as mensalidades vencidas e as coparticipações de atendimentos anteriores ao pedido continuam devidas.',
  'g) Uso depois do pedido: atendimentos depois da data do pedido, mesmo de urgência ou emergência, são por sua conta.',
]

const dependents: Readonly<Record<BeneficiaryType, string>> = {
  primary: 'Dependentes: o contrato da empresa com a operadora diz se os dependentes saem do plano com o titular.',
  dependent: 'Titular: a exclusão do dependente não altera o plano do titular.',
}

/** The information as a PDF. @param deadlines of the movement. */
export function writeExclusionNotice(facts: NoticeFacts, deadlines: readonly Deadline[]): Promise<Buffer> {
  return writePdf('Pedido de exclusão do plano: informações ao beneficiário', [
    `Empresa: ${facts.companyName}, CNPJ ${facts.companyTaxId}`,
    `Beneficiário: ${facts.memberName}`,
    `Plano: ${facts.productName}, ${facts.carrierName}`,
    `Data do pedido: ${dayOf(facts.requestedOn)}`,
    `Último dia de cobertura pedido: ${dayOf(facts.endDate)}`,
    { heading: 'O que você precisa saber' },
    ...items,
    dependents[facts.memberType],
    { heading: 'Os prazos' },
    ...deadlines.flatMap(sentenceOf),
    { heading: 'Base' },
    'Resolução Normativa ANS 561/2022 (antes RN 412/2016). Calculado a partir de dados fornecidos pela empresa.',
    '',
    'Recebi estas informações em ____/____/________.',
    'Assinatura: ________________________________________',
  ] satisfies Paragraph[])
}

function sentenceOf({ kind, until }: Deadline): string[] {
  const day = dayOf(until)
  switch (kind) {
    case 'carrier-notice':
      return [
        `A empresa informa a operadora até ${day}, 30 dias depois do pedido. Depois desse dia você pode pedir a exclusão diretamente à operadora (RN ANS 561/2022).`,
      ]
    case 'effective-exclusion':
      return [
        `A operadora tomou conhecimento do pedido em ${day}: a exclusão tem efeito a partir desse dia (RN ANS 561/2022).`,
      ]
    case 'proof-of-exclusion':
      return [`A operadora entrega o comprovante da exclusão até ${day}, 10 dias úteis depois (RN ANS 561/2022).`]
    case 'inclusion-window':
    case 'newborn':
    case 'retroactive-limit':
    case 'continuation-option':
    case 'portability-window':
      return []
    default:
      return kind satisfies never
  }
}

const dayOf = (date: LocalDate): string => date.split('-').toReversed().join('/')
