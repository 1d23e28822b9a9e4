/*
 * Why a person or a line is rejected, in Brazilian Portuguese, for users of HR departments. `{campo}` is replaced by the term of the field. An
 * offense without a sentence does not compile.
 */
import type { AlterationOffense } from '../domain/alteration-offenses.ts'
import type { ExclusionOffense } from '../domain/exclusion-offenses.ts'
import { MAX_TEXT_CHARACTERS } from '../domain/field-types.ts'
import type { InclusionField } from '../domain/inclusion-fields.ts'
import type { ImportOffense, Offense } from '../domain/offenses.ts'

const text = `Informe um texto de até ${MAX_TEXT_CHARACTERS} caracteres.`
const name = `Informe um nome de até ${MAX_TEXT_CHARACTERS} caracteres, sem caracteres invisíveis.`
const date = 'Informe uma data que exista, no formato AAAA-MM-DD (em planilhas também DD/MM/AAAA), de 1900 em diante.'
const cpf = 'Confira os 11 dígitos do CPF.'
const cnpj = 'Confira os 14 caracteres do CNPJ.'
const email = 'Informe um endereço como nome@empresa.com.br, sem acentos.'
const cents = 'Informe o valor em centavos, sem vírgula, maior ou igual a zero.'

/** How to fill in a field. */
export const FIELD_RULES: Readonly<Record<InclusionField, string>> = {
  'address-city': text,
  'address-complement': text,
  'address-neighborhood': text,
  'address-number': text,
  'address-postal-code': 'Informe o CEP com oito dígitos.',
  'address-state': 'Informe a sigla do estado, como SP.',
  'address-street': text,
  'admission-date': date,
  'bank-account-number': text,
  'bank-account-owners-name': name,
  'bank-account-owners-tax-id': cpf,
  'bank-branch-number': text,
  'bank-number': text,
  'beneficiary-type': 'Informe se a pessoa é titular ou dependente.',
  'cost-center': text,
  'date-of-birth':
    'Informe uma data que exista, no formato AAAA-MM-DD (em planilhas também DD/MM/AAAA), de 1900 até hoje.',
  'dependency-date': date,
  'dependent-type': 'Informe um parentesco da lista, como cônjuge ou filho.',
  documents: 'Envie de novo os documentos: cada um deve ter o seu tipo e servir a uma única movimentação.',
  email: `${email} Se o e-mail pessoal também for enviado, os dois devem ser iguais.`,
  'email-corporate': email,
  'email-private': email,
  'employee-company-tax-id': cnpj,
  'employee-id': text,
  gender: 'Informe feminino ou masculino.',
  'job-title': text,
  'marital-status': 'Informe solteiro, casado, divorciado, viúvo ou outro.',
  'monthly-salary': `${cents} Se o salário também for enviado, os dois devem ser iguais.`,
  'mothers-name': name,
  name,
  phone: 'Informe o telefone com DDD, 10 ou 11 dígitos.',
  'preferred-name': name,
  'primary-member-tax-id': `${cpf} Ele não pode ser o CPF do próprio dependente.`,
  products: 'Informe ao menos um produto, com nome e opção de início.',
  reference: 'Informe um texto de até 100 caracteres que não contenha um CPF.',
  salary: cents,
  'tax-id': cpf,
  'work-contract-type': 'Informe CLT, prestador de serviços, sócio, estagiário, afastado ou outro.',
}

const invalid = <Field extends InclusionField>(field: Field) => `O campo “{campo}” não é válido. ${FIELD_RULES[field]}`
const missing = 'Preencha o campo “{campo}”.'

type InvalidOffense = `invalid-${InclusionField}`
const fields = Object.keys(FIELD_RULES) as InclusionField[]
const INVALID = Object.fromEntries(fields.map((field) => [`invalid-${field}`, invalid(field)])) as Readonly<
  Record<InvalidOffense, string>
>

/** Of all movements and imports. */
export type AnyOffense = Offense | ExclusionOffense | AlterationOffense | ImportOffense

type OtherOffense = Exclude<AnyOffense, InvalidOffense>

const OTHERS: Readonly<Record<OtherOffense, string>> = {
  'already-enrolled':
    'A pessoa já tem este produto ativo na empresa. Retire o produto do pedido ou exclua antes o benefício atual.',
  'ambiguous-product':
    'A pessoa tem este produto como titular e também como dependente. Informe qual dos dois benefícios deve ser excluído.',
  'conflicting-selector':
    'O pedido indica o que excluir de mais de uma forma. Informe só o produto, só o benefício ou só o titular.',
  'dependent-type-not-allowed':
    'O produto não aceita dependentes com este parentesco. Confira o parentesco ou o produto.',
  'duplicated-member': 'A mesma pessoa aparece mais de uma vez para o mesmo produto. Deixe só uma ocorrência.',
  'invalid-alteration-data': 'Os dados da alteração estão incompletos ou não são válidos. Confira o campo “{campo}”.',
  'invalid-card-number': `O número da carteirinha tem mais de ${MAX_TEXT_CHARACTERS} caracteres ou está em notação científica, como 4,5112E+13. Formate a coluna como texto e corrija o número.`,
  'invalid-company-tax-id': `O CNPJ da empresa não é válido. ${cnpj}`,
  'invalid-end-date':
    'O fim da vigência não é uma data válida, é anterior ao início ou é posterior ao fim do benefício do titular. Corrija a data.',
  'invalid-exclusion-details': 'Os dados da exclusão estão incompletos ou não são válidos. Confira o campo “{campo}”.',
  'invalid-selector':
    'A indicação do que deve ser excluído não é válida. Corrija o campo “{campo}” ou retire-o do pedido.',
  'invalid-start-date': 'O início da vigência não é uma data válida ou é anterior a 1900. Corrija a data.',
  'invalid-start-option':
    'A opção de início da vigência não é válida. Escolha na inclusão, na admissão ou no próximo faturamento.',
  'malformed-line': 'Não foi possível ler a linha. Confira as aspas e os separadores.',
  'member-not-found': 'Não há beneficiário com este CPF na empresa. Confira o CPF e a empresa.',
  'missing-admission-date': 'Preencha a data de admissão do titular: o produto começa na admissão e precisa dela.',
  'missing-beneficiary-type': missing,
  'missing-company-tax-id': missing,
  'missing-date-of-birth': missing,
  'missing-dependent-type': missing,
  'missing-gender': missing,
  'missing-mothers-name': missing,
  'missing-name': missing,
  'missing-primary-member-tax-id': missing,
  'missing-product-name': 'Preencha o nome do produto.',
  'missing-products': 'Informe ao menos um produto.',
  'missing-start-date': missing,
  'missing-start-option': 'Preencha a opção de início da vigência do produto.',
  'missing-tax-id': missing,
  'no-active-benefit': 'A pessoa não tem benefício ativo que corresponda ao pedido. Confira os benefícios dela.',
  'ongoing-enrollment':
    'Já existe uma movimentação em andamento para esta pessoa neste produto. Aguarde a conclusão dela e envie de novo.',
  'primary-member-not-enrolled-in-product':
    'O titular não tem este produto. Inclua o titular no produto antes do dependente ou junto com ele.',
  'primary-member-not-found':
    'Não há titular com este CPF no pedido nem na empresa. Confira o CPF do titular ou inclua o titular.',
  'primary-member-rejected':
    'O titular está no mesmo pedido e foi recusado. Corrija os dados do titular e envie os dois de novo.',
  'product-type-mismatch': 'O produto existe, mas é de outro tipo. Envie o produto no tipo correto.',
  'start-option-not-allowed': 'O produto não aceita esta opção de início da vigência. Escolha outra opção.',
  'replaced-benefit':
    'Uma troca de plano ou de empresa substituiu este benefício. Envie a linha do benefício que o substituiu.',
  'unknown-company': 'Não há empresa com este CNPJ. Confira o CNPJ ou peça o cadastro da empresa.',
  'unknown-product': 'A empresa não oferece este produto. Confira o nome do produto.',
}

/** The sentence of every offense, of inclusions, exclusions, alterations and imports. */
export const PORTUGUESE_OFFENSES: Readonly<Record<AnyOffense, string>> = {
  ...INVALID,
  ...OTHERS,
}
