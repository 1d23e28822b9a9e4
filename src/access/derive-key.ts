import { hkdfSync } from 'node:crypto'

/** A 32-byte key for one purpose, derived from the master key (HKDF-SHA-256): keys of different purposes tell nothing of each other. */
export function deriveKey(masterKey: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', masterKey, Buffer.alloc(0), `vigencia ${purpose}`, 32))
}
