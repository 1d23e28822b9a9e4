import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { StartError } from '../errors.ts'
import { openFolderStorage } from './folder-storage.ts'
import type { S3Location } from './s3-storage.ts'
import type { Storage } from './storage.ts'

/**
 * Opens the configured storage, without a connection: the service starts while the storage is unreachable.
 * @throws StartError for an invalid URL. The message does not repeat it, because it contains a secret.
 */
export async function openStorage(config: { storageUrl: string | null; dataDir: string }): Promise<Storage> {
  if (config.storageUrl === null) return openFolderStorage(resolve(join(config.dataDir, 'files')))
  const url = URL.parse(config.storageUrl)
  if (url?.protocol === 'file:' && url.host === '') return openFolderStorage(fileURLToPath(url))
  // Imported when used: loading the client takes a tenth of a second.
  if (url?.protocol === 's3:') return (await import('./s3-storage.ts')).openS3Storage(s3Location(url))
  throw new StartError(invalidUrl)
}

const invalidUrl =
  'VIGENCIA_STORAGE_URL must be file:///FOLDER or s3://KEY:SECRET@HOST:PORT/BUCKET/PREFIX?region=REGION&protocol=https.'

function s3Location(url: URL): S3Location {
  const protocol = url.searchParams.get('protocol') ?? 'https'
  const [bucket = '', ...folders] = url.pathname.split('/').filter((part) => part !== '')
  const unknown = [...url.searchParams.keys()].filter((name) => name !== 'region' && name !== 'protocol')
  const isHalf = (url.username === '') !== (url.password === '')
  if (url.host === '' || bucket === '' || unknown.length > 0 || isHalf || !/^https?$/.test(protocol)) {
    throw new StartError(invalidUrl)
  }
  return {
    endpoint: `${protocol}://${url.host}`,
    region: url.searchParams.get('region') ?? 'us-east-1',
    bucket: decodeURIComponent(bucket),
    prefix: folders.map((folder) => `${decodeURIComponent(folder)}/`).join(''),
    credentials:
      url.username === ''
        ? null
        : { accessKeyId: decodeURIComponent(url.username), secretAccessKey: decodeURIComponent(url.password) },
  }
}
