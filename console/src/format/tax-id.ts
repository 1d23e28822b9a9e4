/** A CPF as `529.982.247-25`; what is none, such as a masked one, stays. */
export function formatCpf(cpf: string): string {
  return /^\d{11}$/.test(cpf) ? cpf.replace(/^(...)(...)(...)(..)$/, '$1.$2.$3-$4') : cpf
}

/** A CNPJ, also an alphanumeric one (IN RFB 2.229/2024), as `12.ABC.345/01DE-35`. */
export function formatCnpj(cnpj: string): string {
  return /^[\dA-Z]{14}$/.test(cnpj) ? cnpj.replace(/^(..)(...)(...)(....)(..)$/, '$1.$2.$3/$4-$5') : cnpj
}

/** A tax id as it was pasted, without punctuation and blanks. */
export function plainTaxId(text: string): string {
  return text.toUpperCase().replaceAll(/[^\dA-Z]/g, '')
}
