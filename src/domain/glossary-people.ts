/* The glossary of the data of people: see glossary.ts. */
import type { GlossaryEntry } from './glossary-entry.ts'

const lgpd = 'LGPD (Lei 13.709/2018)'

export const PEOPLE_TERMS = {
  'address-city': { term: 'Município', meaning: 'Município do endereço da pessoa.', en: 'City of the address.' },
  'address-complement': {
    term: 'Complemento',
    meaning: 'Complemento do endereço, como apartamento ou bloco.',
    en: 'Complement of the address, such as a flat or a block.',
  },
  'address-neighborhood': {
    term: 'Bairro',
    meaning: 'Bairro do endereço da pessoa.',
    en: 'Neighborhood of the address.',
  },
  'address-number': {
    term: 'Número do endereço',
    meaning: 'Número do imóvel; pode ter letras, como “S/N”.',
    en: 'Number of the building; may have letters, such as `S/N`.',
  },
  'address-postal-code': {
    term: 'CEP',
    meaning: 'CEP do endereço: oito dígitos, com ou sem hífen.',
    en: 'Postal code (CEP): eight digits, with or without the hyphen.',
  },
  'address-state': {
    term: 'UF',
    meaning: 'Sigla do estado do endereço, como SP.',
    en: 'State of the address, by its two letters, such as `SP`.',
  },
  'address-street': {
    term: 'Logradouro',
    meaning: 'Rua, avenida ou outro logradouro do endereço.',
    en: 'Street of the address.',
  },
  'admission-date': {
    term: 'Data de admissão',
    meaning: 'Dia em que o titular foi admitido na empresa. Vale também para os dependentes dele.',
    en: "The day on which the employee was hired. Required for `on-admission-date`. A dependent's is the primary's.",
    norm: 'CLT (Decreto-Lei 5.452/1943)',
  },
  'bank-account-number': {
    term: 'Conta bancária',
    meaning: 'Número da conta para reembolsos, com o dígito.',
    en: 'Number of the bank account for reimbursements, with its check digit.',
  },
  'bank-account-owners-name': {
    term: 'Nome do titular da conta',
    meaning: 'Nome da pessoa dona da conta bancária.',
    en: 'Name of the owner of the bank account.',
  },
  'bank-account-owners-tax-id': {
    term: 'CPF do titular da conta',
    meaning: 'CPF da pessoa dona da conta bancária.',
    en: 'CPF of the owner of the bank account.',
  },
  'bank-branch-number': { term: 'Agência', meaning: 'Número da agência bancária.', en: 'Number of the bank branch.' },
  'bank-number': { term: 'Banco', meaning: 'Código do banco, como 001.', en: 'Code of the bank, such as `001`.' },
  'beneficiary-type': {
    term: 'Tipo de beneficiário',
    meaning: 'Se a pessoa é titular ou dependente.',
    en: 'The role of the person: `primary` or `dependent`.',
    norm: 'RN ANS 557/2022',
  },
  'cost-center': {
    term: 'Centro de custo',
    meaning: 'Centro de custo da pessoa na empresa.',
    en: 'Cost center of the employee.',
  },
  'date-of-birth': {
    term: 'Data de nascimento',
    meaning: 'Data de nascimento da pessoa; não pode ser posterior a hoje.',
    en: 'The date of birth, `YYYY-MM-DD`; not after today.',
  },
  'dependency-date': {
    term: 'Data da dependência',
    meaning: 'Dia em que a pessoa passou a ser dependente, como o do casamento ou do nascimento.',
    en: 'The day on which the dependency began, such as a marriage or a birth.',
  },
  'dependent-type': {
    term: 'Parentesco',
    meaning: 'Relação do dependente com o titular, como cônjuge ou filho.',
    norm: 'RN ANS 557/2022',
  },
  email: { term: 'E-mail', meaning: 'E-mail pessoal; o mesmo que “E-mail pessoal”.' },
  'email-corporate': {
    term: 'E-mail corporativo',
    meaning: 'E-mail da pessoa na empresa.',
    en: 'E-mail address at the company.',
  },
  'email-private': { term: 'E-mail pessoal', meaning: 'E-mail particular da pessoa.', en: 'Private e-mail address.' },
  'employee-company-tax-id': {
    term: 'CNPJ do empregador',
    meaning: 'CNPJ da empresa ou filial que emprega a pessoa.',
    en: 'CNPJ of the company or branch that employs the person.',
    norm: 'IN RFB 2.229/2024',
  },
  'employee-id': {
    term: 'Matrícula',
    meaning: 'Matrícula da pessoa na empresa.',
    en: "The company's own number of the employee.",
  },
  gender: { term: 'Sexo', meaning: 'Sexo da pessoa: feminino ou masculino.', en: '`male` or `female`.' },
  'job-title': { term: 'Cargo', meaning: 'Cargo da pessoa na empresa.', en: 'Job title at the company.' },
  'marital-status': {
    term: 'Estado civil',
    meaning: 'Solteiro, casado, divorciado, viúvo ou outro.',
    en: 'One of `single`, `married`, `divorced`, `widowed`, `others`; `other` is read as `others`.',
  },
  'member-name': {
    term: 'Nome do beneficiário',
    meaning: 'Nome da pessoa da movimentação.',
    en: 'The name of the person.',
  },
  'member-tax-id': {
    term: 'CPF do beneficiário',
    meaning: 'CPF da pessoa da movimentação ou do benefício.',
    en: 'CPF of the person; in requests formatted or not, unformatted in responses.',
    norm: 'Lei 14.534/2023',
  },
  'member-type': {
    term: 'Papel na movimentação',
    meaning: 'Se a pessoa da movimentação é titular ou dependente.',
    en: 'The role of the person in this movement: `primary` or `dependent`.',
  },
  'monthly-salary': { term: 'Salário mensal', meaning: 'Salário mensal, em centavos; o mesmo que “Salário”.' },
  'mothers-name': {
    term: 'Nome da mãe',
    meaning: 'Nome completo da mãe da pessoa, como no documento.',
    en: 'Full name of the mother, as in the identity document.',
  },
  name: {
    term: 'Nome',
    meaning: 'Nome da pessoa, da empresa, do produto, do cliente, do operador ou do arquivo, conforme o objeto.',
    en: 'The name of the person, company, product, client, operator or file, by the object that has it.',
    norm: lgpd,
  },
  person: {
    term: 'Dados da pessoa',
    meaning: 'Dados cadastrais atuais da pessoa na empresa, para a análise do operador.',
    en: 'The current data of the person in the company, for the review of a movement.',
    norm: lgpd,
  },
  phone: {
    term: 'Telefone',
    meaning: 'Telefone com DDD, 10 ou 11 dígitos.',
    en: 'Phone with area code, 10 or 11 digits; punctuation and `+55` are allowed.',
  },
  'preferred-name': {
    term: 'Nome social',
    meaning: 'Nome pelo qual a pessoa se identifica e é conhecida.',
    en: 'The name by which the person is known (nome social).',
    norm: 'Decreto 8.727/2016',
  },
  'primary-member-tax-id': {
    term: 'CPF do titular',
    meaning: 'CPF do titular de quem a pessoa é dependente.',
    en: 'CPF of the primary. Required for dependents.',
  },
  profile: {
    term: 'Perfil',
    meaning: 'Dados pessoais do beneficiário que valem para todas as empresas, como nome e nascimento.',
    en: 'The personal data of a member, such as name and date of birth.',
    norm: lgpd,
  },
  registrations: {
    term: 'Cadastros',
    meaning: 'Dados cadastrais da pessoa em cada empresa que o cliente acessa.',
    en: "Registration data, one item for each of the caller's companies.",
  },
  salary: {
    term: 'Salário',
    meaning: 'Salário mensal, em centavos (523000 é R$ 5.230,00).',
    en: 'Monthly salary in cents, a whole number.',
  },
  'tax-id': {
    term: 'CPF',
    meaning: 'CPF da pessoa, com ou sem pontuação. No objeto da empresa, o CNPJ dela.',
    en: 'CPF of a person, or the CNPJ in the object of a company. Formatted or not in requests, unformatted in responses.',
    norm: 'Lei 14.534/2023; CNPJ: IN RFB 2.229/2024',
  },
  'work-contract-type': {
    term: 'Tipo de contrato',
    meaning: 'Vínculo com a empresa: CLT, prestador de serviços, sócio, estagiário, afastado ou outro.',
    en: 'Relation to the company: `brazil-labor-law` (CLT), `services-contract`, `partner`, `intern`, `on-leave` or `other`.',
    norm: 'CLT (Decreto-Lei 5.452/1943); RN ANS 557/2022',
  },
  disclose: {
    term: 'Revelar',
    meaning: 'Mostra CPFs e dados bancários na resposta, o que fica registrado na auditoria.',
    en: 'Shows CPFs and bank data in the response, which is audited.',
  },
} as const satisfies Readonly<Record<string, GlossaryEntry>>
