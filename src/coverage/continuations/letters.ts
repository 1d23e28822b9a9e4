import type { LocalDate } from '#kernel/calendar.ts'
import { DEADLINE_DAYS } from '../rules/deadline.ts'
import { type ContinuationGround, type ContinuationNote, type ContinuationVerdict } from '../rules/continuation.ts'
import { formatCnpj } from '#kernel/tax-id.ts'
import { moneyOf } from '#platform/pdf/money.ts'
import { type Paragraph, writePdf } from '#platform/pdf/write.ts'

/*
 * The employer's notice and the form of the answer, in Portuguese (RN ANS 488/2022 art. 10). They are templates: a lawyer must read them before they
 * are used.
 */

export const LETTERS = ['notice', 'option-form'] as const
export type Letter = (typeof LETTERS)[number]

/** What the letters say of a continuation with a term. */
export interface LetterFacts {
  readonly companyName: string
  readonly companyTaxId: string
  readonly memberName: string
  readonly dependentNames: readonly string[]
  readonly productName: string
  readonly carrierName: string
  readonly ground: ContinuationGround
  readonly contributionMonths: number
  readonly leavingDate: LocalDate
  readonly noticeDate: LocalDate | null
  readonly optionUntil: LocalDate | null
  readonly months: number | null
  readonly termStart: LocalDate
  readonly termEnd: LocalDate | null
  readonly prices: readonly { readonly 'age-band': string; readonly amount: string }[]
}

const counting =
  'Os meses são contados a partir do dia seguinte ao último dia como funcionário e terminam na véspera do dia de mesmo número; se o mês não tem esse ' +
  'dia, no último dia do mês (Código Civil, art. 132, § 3).'
const source = 'Calculado a partir de dados fornecidos pela empresa.'
const blankDay = '____/____/________'
const signature = 'Assinatura: ________________________________________'

const notes: Readonly<Record<ContinuationNote, string>> = {
  'third-of-contribution': 'O prazo é de um terço do tempo de contribuição.',
  'fraction-rounded-up': 'A fração de mês foi arredondada para cima, a favor da pessoa, porque a norma não trata dela.',
  'minimum-term': 'Aplica-se o prazo mínimo de 6 meses.',
  'maximum-term': 'Aplica-se o prazo máximo de 24 meses.',
  'ten-years-or-more': 'Com dez anos ou mais de contribuição, o prazo não tem fim.',
  'year-for-year': 'O prazo é de um ano para cada ano de contribuição.',
  'whole-years': 'Contam os anos completos de contribuição, conforme o contrato.',
  proportional: 'Os meses além dos anos completos contam na mesma proporção, conforme o contrato.',
  'starts-when-leaving': 'O direito começa quando a pessoa deixar a empresa.',
}

const rights: Readonly<Record<ContinuationGround, string>> = {
  dismissal:
    'Quem contribuiu para o plano e foi desligado sem justa causa pode mantê-lo, nas mesmas condições de cobertura, com os dependentes já ' +
    'inscritos, desde que assuma o pagamento integral (Lei 9.656/1998, art. 30; RN ANS 488/2022).',
  retirement:
    'Quem contribuiu para o plano e se aposentou pode mantê-lo, nas mesmas condições de cobertura, com os dependentes já inscritos, desde que ' +
    'assuma o pagamento integral (Lei 9.656/1998, art. 31; RN ANS 488/2022).',
}

/** A letter as a PDF. @param verdict of the calculation, for what the term depends on. */
export function writeLetter(letter: Letter, facts: LetterFacts, verdict: ContinuationVerdict): Promise<Buffer> {
  switch (letter) {
    case 'notice':
      return writePdf('Comunicado: manutenção do plano', noticeOf(facts, verdict))
    case 'option-form':
      return writePdf('Termo de opção: manutenção do plano', formOf(facts, verdict))
    default:
      return letter satisfies never
  }
}

function noticeOf(facts: LetterFacts, verdict: ContinuationVerdict): Paragraph[] {
  return [
    ...headOf(facts),
    { heading: 'O direito' },
    rights[facts.ground],
    { heading: 'O prazo' },
    ...termOf(facts, verdict),
    { heading: 'Até quando responder' },
    deadlineOf(facts),
    { heading: 'Quando termina antes' },
    'O direito termina com a admissão em novo emprego que dê acesso a plano (Lei 9.656/1998, art. 30, § 5), com o fim do plano da empresa ou a ' +
      'pedido. A morte do titular não encerra o direito dos dependentes (art. 30, § 3), e a troca de operadora não reinicia o prazo.',
    ...pricesOf(facts),
    source,
    '',
    `Recebi este comunicado em ${facts.noticeDate === null ? blankDay : dayOf(facts.noticeDate)}.`,
    signature,
  ]
}

function formOf(facts: LetterFacts, verdict: ContinuationVerdict): Paragraph[] {
  return [
    ...headOf(facts),
    { heading: 'O prazo' },
    ...termOf(facts, verdict),
    deadlineOf(facts),
    ...pricesOf(facts),
    source,
    { heading: 'A opção' },
    '(    ) Quero manter o plano, com o grupo familiar acima, e assumo o pagamento integral.',
    '(    ) Não quero manter o plano.',
    '',
    `Data: ${blankDay}`,
    signature,
    facts.memberName,
  ]
}

function headOf(facts: LetterFacts): Paragraph[] {
  return [
    `Empresa: ${facts.companyName}, CNPJ ${formatCnpj(facts.companyTaxId)}`,
    `Titular: ${facts.memberName}`,
    ...(facts.dependentNames.length === 0 ? [] : [`Dependentes: ${facts.dependentNames.join(', ')}`]),
    `Plano: ${facts.productName}, ${facts.carrierName}`,
    `Último dia como funcionário: ${dayOf(facts.leavingDate)}`,
  ]
}

function termOf(facts: LetterFacts, verdict: ContinuationVerdict): string[] {
  const { contributionMonths, months, termStart, termEnd } = facts
  const length = months === 1 ? '1 mês' : `${months} meses`
  const term =
    termEnd === null
      ? `Prazo: sem fim, a partir de ${dayOf(termStart)}.`
      : `Prazo: ${length}, de ${dayOf(termStart)} a ${dayOf(termEnd)}. ${counting}`
  const explained = verdict.kind === 'eligible' ? verdict.notes.map((note) => notes[note]) : []
  const norms = verdict.kind === 'eligible' ? [`Fundamento: ${verdict.norms.join('; ')}.`] : []
  return [`Meses de contribuição: ${contributionMonths}.`, term, explained.join(' '), ...norms]
}

function deadlineOf({ noticeDate, optionUntil }: LetterFacts): string {
  const until = optionUntil === null ? '' : ` Último dia: ${dayOf(optionUntil)}.`
  const notice = noticeDate === null ? '' : `, de ${dayOf(noticeDate)}`
  const moved = 'Se o último dia não é útil, vale o dia útil seguinte (Código Civil, art. 132, § 1).'
  return `A resposta é dada em até ${DEADLINE_DAYS['continuation-option']} dias deste comunicado${notice} (RN ANS 488/2022, art. 10). ${moved}${until}`
}

function pricesOf({ prices }: LetterFacts): Paragraph[] {
  if (prices.length === 0) return []
  const rows = prices.map(({ 'age-band': band, amount }) => `${band} anos: ${moneyOf(amount)} por mês`)
  return [{ heading: 'Preços por faixa etária, informados pela empresa' }, ...rows]
}

const dayOf = (day: LocalDate): string => day.split('-').toReversed().join('/')
