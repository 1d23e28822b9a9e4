-- Which people and contracts a line of a payroll export is for: yearly figures by deduction name them. The amounts add up to the line.
alter table payroll_export_line add people jsonb check (jsonb_array_length(people) > 0);
-- Exports that were made do not say it.
update payroll_export_line set people = jsonb_build_array(jsonb_build_object('memberId', member_id, 'contractId', null, 'amount', amount));
alter table payroll_export_line alter people set not null;
