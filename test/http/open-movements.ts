import { openMovements } from '../../src/enrollments/open-movement.ts'

/** The statement that inserts the rows of `open_movement` of enrollments that a test inserted itself. */
export const fillOpenMovements = openMovements(
  'not exists (select from open_movement o where o.company_id = e.company_id and o.id = e.id)',
)
