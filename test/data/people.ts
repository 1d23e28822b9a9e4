/*
 * The one source of tax ids and people of the tests and benchmarks. Every CPF and CNPJ has right check digits and is no repeated
 * sequence; `startSequence` makes the ids that follow the same in every run.
 */
import { completeCnpj, completeCpf } from '#kernel/tax-id.ts'

// oxlint-disable-next-line typescript/no-explicit-any -- tests read any JSON
type Json = any

const firstCpf = 100_000_000
const cpfs = 800_000_000

/** The n-th valid CPF; different n below 800,000,000 give different ones. */
export function cpfAt(n: number): string {
  const nine = String(firstCpf + (n % cpfs))
  // 111111111 completes to 111.111.111-11, which is no CPF. The bases below 100000000 are free.
  return completeCpf(/^(\d)\1*$/.test(nine) ? nine.charAt(0).padStart(9, '0') : nine)
}

/** The n-th valid CNPJ, letters included; different n below 36^7 give different ones. */
export function cnpjAt(n: number): string {
  return completeCnpj(`T${n.toString(36).toUpperCase().padStart(7, '0')}0001`)
}

let serial = 0

/** Begins a sequence of ids: the same seed and name give the same ids, other names ids that are far away. */
export function startSequence(seed: number, name: string): void {
  let hash = Math.imul(seed, 0x01000193)
  for (const character of name) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193)
  serial = (hash >>> 0) % cpfs
}

/** A valid CPF that no other call has given. */
export function nextCpf(): string {
  return cpfAt((serial += 1))
}

/** A valid CNPJ, letters included, that no other call has given. */
export function nextCnpj(): string {
  return cnpjAt((serial += 1))
}

export const health = 'Saúde Essencial Enfermaria'

/** A primary member as a payroll system sends it: health on the inclusion date. */
export function primary(overrides: Record<string, unknown> = {}): Record<string, Json> {
  return {
    'beneficiary-type': 'primary',
    name: 'Helena Brandão Souza',
    'tax-id': nextCpf(),
    'mothers-name': 'Fátima Brandão',
    'date-of-birth': '1990-05-17',
    gender: 'female',
    'admission-date': '2026-11-02',
    products: { 'health-insurance': [{ name: health, 'start-option': 'on-inclusion-date' }] },
    ...overrides,
  }
}

/** A dependent of the primary with that CPF. */
export function dependent(primaryTaxId: string, overrides: Record<string, unknown> = {}): Record<string, Json> {
  return {
    'beneficiary-type': 'dependent',
    'primary-member-tax-id': primaryTaxId,
    'dependent-type': 'child',
    name: 'Davi Brandão Souza',
    'tax-id': nextCpf(),
    'mothers-name': 'Helena Brandão Souza',
    'date-of-birth': '2020-01-31',
    gender: 'male',
    products: { 'health-insurance': [{ name: health, 'start-option': 'on-inclusion-date' }] },
    ...overrides,
  }
}

/** Entries of `products` for one product. */
export function inProduct(type: string, name: string, startOption = 'on-inclusion-date'): Record<string, Json> {
  return { [type]: [{ name, 'start-option': startOption }] }
}
