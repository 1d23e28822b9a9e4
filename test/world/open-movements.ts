import { openMovements } from '#coverage/enrollments/open-movement.ts'

/** The statement that inserts the rows of `open_movement` of enrollments that a test inserted itself. */
export const fillOpenMovements = openMovements(
  'not exists (select from open_movement where open_movement.company_id = enrollment.company_id and open_movement.id = enrollment.id)',
)
