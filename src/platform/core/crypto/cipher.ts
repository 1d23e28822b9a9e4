import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { StartError } from '../errors.ts'

/** Authenticated encryption of secrets in the database. The purpose is authenticated too: a ciphertext decrypts only for its own. */
export interface Cipher {
  encrypt(purpose: string, plaintext: Buffer): Buffer
  /** @throws StartError for another master key, another purpose, or an altered ciphertext. */
  decrypt(purpose: string, encrypted: Buffer): Buffer
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
    encrypt(purpose, plaintext) {
      const nonce = randomBytes(nonceLength)
      const cipher = createCipheriv(algorithm, masterKey, nonce).setAAD(Buffer.from(purpose))
      const ciphertext = Buffer.concat([cipher.update(plaintext), cipher.final()])
      return Buffer.concat([Buffer.of(format), nonce, cipher.getAuthTag(), ciphertext])
    },
    decrypt(purpose, encrypted) {
      if (encrypted.length < headLength || encrypted[0] !== format) throw cannotDecrypt(purpose)
      const nonce = encrypted.subarray(1, 1 + nonceLength)
      const decipher = createDecipheriv(algorithm, masterKey, nonce, { authTagLength: tagLength })
        .setAAD(Buffer.from(purpose))
        .setAuthTag(encrypted.subarray(1 + nonceLength, headLength))
      try {
        return Buffer.concat([decipher.update(encrypted.subarray(headLength)), decipher.final()])
      } catch {
        throw cannotDecrypt(purpose)
      }
    },
  }
}

function cannotDecrypt(purpose: string): StartError {
  return new StartError(
    `The master key does not decrypt what this database stores (${purpose}): set VIGENCIA_MASTER_KEY to the key with ` +
      'which the database was first started, or put that key back as DATA_DIR/master.key.',
  )
}
