-- What was due of a month when an export was made: what exports have of it until then. No export takes more or less.
alter table payroll_export_line add due bigint;
update payroll_export_line set due = summed.due from (
    select line.company_id, line.export_id, line.member_id, line.kind, line.product_type, line.origin_month,
      sum(sum(line.amount)) over (partition by line.company_id, line.member_id, line.kind, line.product_type, line.origin_month
        order by payroll_export.created_at, line.export_id) as due
    from payroll_export_line line
    join payroll_export on payroll_export.company_id = line.company_id and payroll_export.id = line.export_id
    group by line.company_id, line.export_id, line.member_id, line.kind, line.product_type, line.origin_month, payroll_export.created_at
  ) summed
  where summed.company_id = payroll_export_line.company_id and summed.export_id = payroll_export_line.export_id
    and summed.member_id = payroll_export_line.member_id and summed.kind = payroll_export_line.kind
    and summed.product_type = payroll_export_line.product_type and summed.origin_month = payroll_export_line.origin_month;
alter table payroll_export_line alter due set not null;
