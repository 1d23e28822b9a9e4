import { audit } from './audit.ts'
import { carriers } from './carriers.ts'
import { imports } from './imports.ts'
import { layouts } from './layouts.ts'
import { shipments } from './shipments.ts'

/** The texts that are loaded with the pages that show them, in English, by namespace. */
export const later = { audit, carriers, imports, layouts, shipments } as const
