/** A CPF as `529.982.247-25`; what is none, such as a masked one, stays. */
export function formatCpf(cpf: string): string {
  return /^\d{11}$/.test(cpf) ? cpf.replace(/^(...)(...)(...)(..)$/, '$1.$2.$3-$4') : cpf
}

/** A tax id as it was pasted, without punctuation and blanks. */
export function plainTaxId(text: string): string {
  return text.toUpperCase().replaceAll(/[^\dA-Z]/g, '')
}
