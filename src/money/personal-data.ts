import type { PersonalData } from '#platform/core/personal-data.ts'
import { ofBenefits } from '#coverage/personal-data.ts'

/** SQL: the month of a closing. */
const monthOf = (
  table: string,
): string => `(select jsonb_build_object('reference-month', closing.reference_month) from closing
  where closing.company_id = ${table}.company_id and closing.id = ${table}.closing_id)`

const settings = 'settings of companies, contracts and the installation'
const technical = 'keys, counters and queues of the service'
const files = 'files of a company, whole'

/** The tables that this district writes. */
export const personalData = {
  invoice: { copy: 'figures of a company', none: 'id carrier_name' },
  invoice_config: { copy: settings, none: 'carrier_key' },
  invoice_file: { copy: files, erased: 'storage_key', searched: 'name', none: 'invoice_id type content_type status' },
  invoice_owner: { copy: technical, none: 'id' },
  claim: {
    copy: 'its lines are given',
    searched: 'note carrier_protocol',
    account: 'created_by',
    none: 'reference_month status',
  },
  claim_line: {
    copy: {
      of: `claim_line.company_id = $1 and claim_line.discrepancy_id in (
      select discrepancy.id from discrepancy where ${ofBenefits('discrepancy')})`,
      omit: ['company_id', 'claim_id', 'credited_file_id', 'credited_line'],
      orderBy: 'claim_line.discrepancy_id',
    },
  },
  closing: { copy: 'figures of a company', replaced: 'acts figures', none: 'reference_month status' },
  closing_charge: {
    copy: {
      of: 'closing_charge.company_id = $1 and closing_charge.member_id = $2',
      // The cost center is that of the employee.
      omit: [
        'company_id',
        'closing_id',
        'number',
        'contract_id',
        'benefit_id',
        'member_id',
        'employee_member_id',
        'cost_center',
        'product_id',
      ],
      add: monthOf('closing_charge'),
      orderBy: 'closing_charge.closing_id, closing_charge.number',
    },
    searched: 'cost_center',
    none: 'source entry_period missing_share member_type',
  },
  closing_expected: {
    copy: {
      of: 'closing_expected.company_id = $1 and closing_expected.member_id = $2',
      omit: ['company_id', 'closing_id', 'contract_id', 'member_id'],
      add: monthOf('closing_expected'),
      orderBy: 'closing_expected.closing_id, closing_expected.contract_id, closing_expected.benefit_id',
    },
    replacedOfPeople: 'line',
  },
  movement_money: { copy: technical, none: 'missing_settings' },
  forecast: { copy: 'figures of a company', none: 'reference_month' },
  forecast_line: {
    copy: {
      of: ofBenefits('forecast_line'),
      omit: ['company_id', 'forecast_id', 'benefit_id', 'causes', 'later'],
      add: `(select jsonb_build_object('reference-month', forecast.reference_month, 'as-of', forecast.as_of) from forecast
        where forecast.company_id = forecast_line.company_id and forecast.id = forecast_line.forecast_id)`,
      orderBy: 'forecast_line.forecast_id, forecast_line.benefit_id',
    },
    none: 'causes later',
  },
  payroll_export: {
    copy: 'its lines are given',
    account: 'created_by',
    none: 'reference_month layout_id kind refund_event run_id',
  },
  payroll_export_line: {
    copy: {
      of: 'payroll_export_line.company_id = $1 and payroll_export_line.member_id = $2',
      omit: ['company_id', 'export_id', 'member_id', 'kind', 'due', 'people'],
      add: `jsonb_build_object('payroll-kind', payroll_export_line.kind) || (select jsonb_build_object('reference-month', payroll_export.reference_month, 'created-at', iso(payroll_export.created_at))
      from payroll_export where payroll_export.company_id = payroll_export_line.company_id and payroll_export.id = payroll_export_line.export_id)`,
      orderBy: 'payroll_export_line.export_id, payroll_export_line.kind, payroll_export_line.origin_month',
    },
    none: 'kind event destination origin_month product_type people',
  },
  payroll_profile: {
    copy: settings,
    none: 'layout_id primary_event dependent_event coparticipation_event refund_event product_events basis first_month tax_figures_by unpaid_leave final_limit',
  },
  unpaid_leave: {
    copy: {
      of: 'unpaid_leave.company_id = $1 and unpaid_leave.member_id = $2',
      omit: ['company_id', 'member_id'],
      orderBy: 'unpaid_leave.first_day',
    },
  },
  price_table: { copy: settings, none: 'carrier_plan_code kind prices' },
  contribution_rule: {
    copy: settings,
    searched: 'cost_centers job_titles',
    none: 'primary_share dependent_share coparticipation_share',
  },
} as const satisfies PersonalData
