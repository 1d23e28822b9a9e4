import type { Invariant } from '#platform/core/invariant.ts'

/** SQL: items with what their movements have, those of other companies apart: on Citus rows of two companies are not joined. */
const itemsWithMovements = `(
  select shipment_item.*, enrollment.status as movement_status, enrollment.reached_carrier from shipment_item
  left join enrollment on enrollment.company_id = shipment_item.company_id and enrollment.id = shipment_item.enrollment_id
  where shipment_item.movement_company_id = shipment_item.company_id
  union all
  select item.*, enrollment.status, enrollment.reached_carrier
  from (select * from shipment_item where movement_company_id <> company_id offset 0) item
  join enrollment on enrollment.company_id = item.movement_company_id and enrollment.id = item.enrollment_id) item`

/** What must always hold of the rows of this district. */
export const invariants: readonly Invariant[] = [
  {
    name: 'open-shipment',
    description: 'An active contract has one open shipment, an ended one has none.',
    violations: `select contract.id from contract
      left join shipment on shipment.company_id = contract.company_id and shipment.contract_id = contract.id and shipment.status = 'open'
      group by contract.company_id, contract.id, contract.status
      having count(shipment.id) <> case contract.status when 'active' then 1 else 0 end`,
  },
  {
    name: 'shipment-numbers',
    description: 'The shipments of a contract are numbered from 1 without a gap.',
    violations: `select contract_id as id from shipment group by company_id, contract_id
      having min(number) <> 1 or max(number) <> count(*)`,
  },
  {
    name: 'shipment-once',
    description:
      'A movement, of a change of company or of plan to another contract each side, is in at most one unfinished shipment.',
    violations: `select enrollment_id as id from shipment_item where status in ('ready', 'sent')
      group by enrollment_id, side having count(*) > 1`,
  },
  {
    name: 'shipment-items',
    description:
      'The items of a shipment fit its status: none of an open one, all ready of a closed one, none without an end of a finished or acknowledged one.',
    violations: `select shipment.id from shipment
      left join shipment_item on shipment_item.company_id = shipment.company_id and shipment_item.shipment_id = shipment.id
      group by shipment.company_id, shipment.id, shipment.status
      having case shipment.status
        when 'open' then count(shipment_item.position) > 0
        when 'closed' then count(shipment_item.position) = 0 or bool_or(shipment_item.status <> 'ready')
        when 'cancelled' then bool_or(shipment_item.status <> 'cancelled')
        when 'acknowledged' then bool_or(shipment_item.status in ('ready', 'sent'))
        when 'finished' then bool_or(shipment_item.status in ('ready', 'sent'))
        else bool_or(shipment_item.status = 'unanswered') end
        or count(shipment_item.position) <> coalesce(max(shipment_item.position), 0)`,
  },
  {
    name: 'shipment-file',
    description: 'A shipment has a file, with the SHA-256 of its bytes, once it was closed.',
    violations: `select shipment.id from shipment
      left join shipment_file on shipment_file.company_id = shipment.company_id and shipment_file.shipment_id = shipment.id
      where (shipment.closed_at is null) <> (shipment_file.shipment_id is null) or shipment_file.sha256 <> sha256(shipment_file.content)`,
  },
  {
    name: 'shipment-reached-carrier',
    description: 'The movement of an item that was sent has reached the carrier.',
    violations: `select item.enrollment_id as id from ${itemsWithMovements}
      where item.status in ('sent', 'accepted', 'refused', 'unanswered') and item.side is distinct from 'leaving' and item.reached_carrier is not true`,
  },
  {
    name: 'shipment-work',
    description: 'A sent shipment whose items are not all moved has one row of work, and no other shipment has.',
    violations: `select coalesce(sending.id, work.target_id) as id from (
        select shipment.id from shipment where shipment.sent_at is not null and exists (
          select 1 from shipment_item where shipment_item.company_id = shipment.company_id and shipment_item.shipment_id = shipment.id
            and shipment_item.status = 'ready')) sending
      full join (select id, target_id from work where kind = 'shipment') work on work.target_id = sending.id
      group by sending.id, work.target_id having sending.id is null or count(work.id) <> 1`,
  },
  {
    name: 'shipment-answers',
    description:
      'The movement of an accepted item is completed, and that of an item without an answer is at the carrier.',
    violations: `select item.enrollment_id as id from ${itemsWithMovements}
      where item.side is distinct from 'leaving' and (item.status = 'accepted' and item.movement_status <> 'completed'
          or item.status in ('sent', 'unanswered') and item.movement_status <> 'carrier-processing')
        or item.side = 'leaving' and item.movement_status <> 'completed'`,
  },
  {
    name: 'shipment-partly-acknowledged',
    description:
      'A shipment is partly acknowledged when the carrier answered some of its items, and acknowledged when it answered all.',
    violations: `select shipment.id from shipment
      join shipment_item on shipment_item.company_id = shipment.company_id and shipment_item.shipment_id = shipment.id
      where shipment.status in ('sent', 'partly-acknowledged')
      group by shipment.company_id, shipment.id, shipment.status
      having case shipment.status when 'sent' then bool_or(shipment_item.status in ('accepted', 'refused'))
        else not bool_or(shipment_item.status in ('accepted', 'refused')) or not bool_or(shipment_item.status in ('ready', 'sent')) end`,
  },
  {
    name: 'shipment-delivery',
    description: 'A pending delivery belongs to a closed shipment.',
    violations: `select shipment_delivery.shipment_id as id from shipment_delivery
      left join shipment on shipment.company_id = shipment_delivery.company_id and shipment.id = shipment_delivery.shipment_id
      where shipment_delivery.status = 'pending' and shipment.status is distinct from 'closed'`,
  },
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
