import type { Invariant } from './rule.ts'

/** Files of carriers, their lines, and what differs. */
export const carrierFileRules: readonly Invariant[] = [
  {
    name: 'carrier-file-lines',
    description:
      'A file that was read has as many lines as it says, as many refused ones, and their sum; one that failed has none.',
    violations: `select carrier_file.id from carrier_file
      left join carrier_line on carrier_line.company_id = carrier_file.company_id and carrier_line.file_id = carrier_file.id
      group by carrier_file.company_id, carrier_file.id
      having count(carrier_line.line_number) <> coalesce(carrier_file.lines, 0)
        or count(carrier_line.line_number) filter (where carrier_line.problems is not null) <> coalesce(carrier_file.refused_lines, 0)
        or coalesce(sum(carrier_line.amount), 0) <> coalesce(carrier_file.computed_total, 0)`,
  },
  {
    name: 'carrier-file-work',
    description: 'A file that is being read has one row of work, and no other file has.',
    violations: `select coalesce(reading.id, work.target_id) as id from (select id from carrier_file where status = 'reading') reading
      full join (select id, target_id from work where kind = 'carrier-file') work on work.target_id = reading.id
      group by reading.id, work.target_id having reading.id is null or count(work.id) <> 1`,
  },
  {
    name: 'reconciliation-work',
    description: 'A reconciliation that is computed has one row of work, and no other has.',
    violations: `select coalesce(computing.id, work.target_id) as id from (select id from reconciliation where status = 'computing') computing
      full join (select id, target_id from work where kind = 'reconciliation') work on work.target_id = computing.id
      group by computing.id, work.target_id having computing.id is null or count(work.id) <> 1`,
  },
  {
    name: 'discrepancy-line',
    description: 'The line of a discrepancy is in the file that was compared.',
    violations: `select discrepancy.id from discrepancy
      join reconciliation on reconciliation.company_id = discrepancy.company_id and reconciliation.id = discrepancy.reconciliation_id
      left join carrier_line on carrier_line.company_id = discrepancy.company_id and carrier_line.file_id = reconciliation.carrier_file_id
        and carrier_line.line_number = discrepancy.line_number
      where discrepancy.line_number is not null and carrier_line.line_number is null`,
  },
]
