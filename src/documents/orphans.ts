import type { Service } from '../http/context.ts'
import { deleteLooseFile } from './queries.ts'

/** Removes bytes that nothing refers to; what cannot be removed now is left to the sweep. */
export async function dropBytes(service: Pick<Service, 'database' | 'storage' | 'log'>, key: string): Promise<void> {
  try {
    await service.storage.remove(key)
    await deleteLooseFile(service.database, key)
  } catch (error) {
    service.log.warn({ err: error }, 'unused bytes left to the sweep')
  }
}
