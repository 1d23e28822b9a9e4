import type { catalogue as english } from '../en/catalogue.ts'
import type { TextsOf } from '../texts-of.ts'
import { shell } from './shell.ts'
import { session } from './session.ts'
import { states } from './states.ts'
import { errors, terms } from './terms.ts'
import { decisions } from './decisions.ts'
import { queue } from './queue.ts'
import { movement } from './movement.ts'
import { members } from './members.ts'
import { accounts } from './accounts.ts'
import { clients } from './clients.ts'
import { invoices } from './invoices.ts'
import { withZeros } from './with-zeros.ts'

/** Every text of the console in Portuguese, by namespace. */
export const catalogue: TextsOf<typeof english> = withZeros({
  shell,
  session,
  states,
  terms,
  errors,
  decisions,
  queue,
  movement,
  members,
  accounts,
  clients,
  invoices,
})
