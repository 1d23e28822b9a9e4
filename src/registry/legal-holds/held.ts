/* Whether a legal hold keeps a person or a file: the one place that says so, as conditions in SQL. */

/**
 * Whether a hold is in force on all people of a company, or on one person, whose CPF may have been corrected since.
 * @param companyId, taxId and memberId SQL expressions.
 */
export const isHeld = (
  companyId: string,
  taxId: string,
  memberId = 'null::uuid',
): string => `exists (select 1 from legal_hold
  where legal_hold.held_company_id = ${companyId} or legal_hold.held_tax_id = ${taxId}
    or legal_hold.released_at is null and ${memberId} = any(legal_hold.member_ids))`

/** Whether a hold is in force on a member of the company. */
const hasHeldMember = (company: string) => `exists (select 1 from member where member.company_id = ${company}
  and ${isHeld('member.company_id', 'member.tax_id', 'member.id')})`

/** SQL: the items of changes of company. On Citus rows of two companies are not joined: these are read first. */
const itemsOfOthers = `(select shipment_id, movement_company_id, enrollment_id, dependent_benefit_ids from shipment_item
  where movement_company_id <> company_id offset 0) item`

/** Files with data of several people: each stays while one of them is held. The conditions are on rows of the table that has the file. */
export const isFileHeld = {
  /** Its lines, and those that could not be read, which may be of any person of the company. */
  carrier_file: `(${isHeld('carrier_file.company_id', 'null::bpchar')}
    or carrier_file.refused_lines > 0 and ${hasHeldMember('carrier_file.company_id')}
    or exists (select 1 from carrier_line
      left join benefit on benefit.company_id = carrier_file.company_id and benefit.id = carrier_line.benefit_id
      left join member on member.company_id = carrier_file.company_id and member.id = benefit.member_id
      where carrier_line.company_id = carrier_file.company_id and carrier_line.file_id = carrier_file.id
        and (${isHeld('carrier_file.company_id', 'carrier_line.tax_id')} or ${isHeld('carrier_file.company_id', 'member.tax_id', 'member.id')})))`,
  /** In a change of company the person is of the company that is left, whose people are read once. */
  shipment_file: `(${isHeld('shipment_file.company_id', 'null::bpchar')} or exists (select 1 from shipment_item
      join enrollment on enrollment.company_id = shipment_file.company_id and enrollment.id = shipment_item.enrollment_id
    where shipment_item.company_id = shipment_file.company_id and shipment_item.shipment_id = shipment_file.shipment_id
      and (${isHeld('shipment_file.company_id', 'enrollment.member_tax_id', 'enrollment.member_id')}
        or exists (select 1 from benefit join member on member.company_id = shipment_file.company_id and member.id = benefit.member_id
          where benefit.company_id = shipment_file.company_id and benefit.id = any(shipment_item.dependent_benefit_ids)
            and ${isHeld('shipment_file.company_id', 'member.tax_id', 'member.id')})))
    or shipment_file.shipment_id in (
      select item.shipment_id from ${itemsOfOthers} join enrollment on enrollment.company_id = item.movement_company_id and enrollment.id = item.enrollment_id
      where ${isHeld('enrollment.company_id', 'enrollment.member_tax_id', 'enrollment.member_id')}
      union all
      select item.shipment_id from ${itemsOfOthers} join benefit on benefit.company_id = item.movement_company_id
        and benefit.id = any(item.dependent_benefit_ids)
      join member on member.company_id = benefit.company_id and member.id = benefit.member_id
      where ${isHeld('member.company_id', 'member.tax_id', 'member.id')}))`,
  /** An invoice's list of people. Joined with \`invoice\`. */
  invoice_file: `(${isHeld('invoice_file.company_id', 'null::bpchar')} or exists (select 1 from benefit
      join member on member.company_id = invoice_file.company_id and member.id = benefit.member_id
    where benefit.company_id = invoice_file.company_id and benefit.start_date <= invoice.reference_period_end
      and coalesce(benefit.end_date, 'infinity') >= invoice.reference_period_start
      and ${isHeld('invoice_file.company_id', 'member.tax_id', 'member.id')}))`,
  /** An import's rejected lines. */
  member_import: `exists (select 1 from legal_hold left join company on company.id = legal_hold.held_company_id
    join member_import_error on strpos(member_import_error.content, coalesce(company.tax_id, legal_hold.held_tax_id)) > 0
      or legal_hold.held_tax_id is not null
        and strpos(member_import_error.content, regexp_replace(legal_hold.held_tax_id, '(...)(...)(...)(..)', '\\1.\\2.\\3-\\4')) > 0
    where member_import_error.import_id = member_import.id and legal_hold.released_at is null)`,
} as const
