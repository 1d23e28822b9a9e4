import { hkdfSync } from 'node:crypto'

/** A key of 32 bytes for one purpose: HKDF-SHA-256 of the master key with an empty salt. */
export function deriveKey(masterKey: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', masterKey, '', `vigencia ${purpose}`, 32))
}
