import { cpfAt } from '../test/data/people.ts'

/** The first line of a file of members with one benefit each. */
export const importHeader =
  'company-tax-id;beneficiary-type;name;tax-id;mothers-name;date-of-birth;gender;marital-status;admission-date;work-contract-type;' +
  'job-title;employee-id;cost-center;salary;email-corporate;phone;product-name;start-date;card-number\n'

/** The line of person `n` of `cpfAt`, about 280 bytes. */
export const importLine = (companyTaxId: string, n: number): string =>
  `${companyTaxId};primary;Conceição Letícia Kobayashi Müller ${n};${cpfAt(n)};` +
  `Ana Helena da Silva Kobayashi;1990-05-17;female;single;2022-05-03;brazil-labor-law;Analista de Produção;E${n};CC-${n % 200};` +
  `2201631;e${n}@serraazul.example;11925618483;Saúde Essencial Enfermaria;2022-06-01;0045 ${n}\n`
