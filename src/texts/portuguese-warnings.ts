/*
 * The warnings in Brazilian Portuguese, for users of HR departments.
 */
import type { InclusionWarningCode } from '../domain/warnings.ts'

export const PORTUGUESE_WARNINGS: Readonly<Record<InclusionWarningCode, string>> = {
  'admission-date-far': 'A admissão está a mais de um ano de hoje.',
  'child-older-than-primary': 'O filho ou enteado nasceu antes do titular, ou no mesmo dia.',
  'ignored-field':
    'O campo não se aplica a este tipo de beneficiário: a data de admissão de um dependente, o titular ou o parentesco de um titular.',
  'late-inclusion':
    'Passaram mais de 30 dias da admissão ou, no caso de dependente, do início da dependência. A operadora pode exigir carência.',
  'same-product-type':
    'A pessoa já tem, ou teria, outro produto deste tipo na empresa. Uma troca de plano é uma alteração.',
  'starts-after-former-cover':
    'O benefício começa no dia seguinte ao fim da cobertura anterior da pessoa neste produto.',
  'starts-with-primary':
    'O benefício começa com o do titular neste produto: o dependente não tem cobertura antes dele.',
  'two-spouses': 'O titular tem outro cônjuge ou companheiro neste produto.',
  'unknown-field': 'O campo não existe e não foi gravado.',
}
