import { platform } from '#platform/district.ts'
import { access } from '#access/district.ts'
import { registry } from '#registry/district.ts'
import { events } from '#events/district.ts'
import { coverage } from '#coverage/district.ts'
import { money } from '#money/district.ts'
import { movements } from '#movements/district.ts'
import { exchange } from '#exchange/district.ts'
import { privacy } from '#privacy/district.ts'
import { apps } from './district.ts'

/** All districts, in their order. */
export const districts = [
  platform,
  access,
  registry,
  events,
  coverage,
  money,
  movements,
  exchange,
  privacy,
  apps,
] as const
