import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { StartError } from '../errors.ts'

/** Seals what the database keeps in secret. The purpose is bound to the bytes: what was sealed for one opens for no other. */
export interface Cipher {
  seal(purpose: string, bytes: Buffer): Buffer
  /** @throws StartError when the bytes were sealed under another master key or for another purpose. */
  open(purpose: string, sealed: Buffer): Buffer
}

const algorithm = 'aes-256-gcm'
const format = 1
const nonceLength = 12
const tagLength = 16
const headLength = 1 + nonceLength + tagLength

/** AES-256-GCM under the master key: one byte of format, nonce, tag, ciphertext. */
export function openCipher(masterKey: Buffer): Cipher {
  if (masterKey.length !== 32) throw new StartError('The master key must be 32 bytes: set VIGENCIA_MASTER_KEY.')
  return {
    seal(purpose, bytes) {
      const nonce = randomBytes(nonceLength)
      const cipher = createCipheriv(algorithm, masterKey, nonce).setAAD(Buffer.from(purpose))
      const sealed = Buffer.concat([cipher.update(bytes), cipher.final()])
      return Buffer.concat([Buffer.of(format), nonce, cipher.getAuthTag(), sealed])
    },
    open(purpose, sealed) {
      if (sealed.length < headLength || sealed[0] !== format) throw cannotOpen(purpose)
      const nonce = sealed.subarray(1, 1 + nonceLength)
      const decipher = createDecipheriv(algorithm, masterKey, nonce, { authTagLength: tagLength })
        .setAAD(Buffer.from(purpose))
        .setAuthTag(sealed.subarray(1 + nonceLength, headLength))
      try {
        return Buffer.concat([decipher.update(sealed.subarray(headLength)), decipher.final()])
      } catch {
        throw cannotOpen(purpose)
      }
    },
  }
}

function cannotOpen(purpose: string): StartError {
  return new StartError(
    `The master key does not open what this database keeps sealed (${purpose}): set VIGENCIA_MASTER_KEY to the key with ` +
      'which the database was first started, or put that key back as DATA_DIR/master.key.',
  )
}
