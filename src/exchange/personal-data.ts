import type { PersonalData } from '#platform/core/personal-data.ts'
import { ofBenefits, ofMovements } from '#coverage/personal-data.ts'

const settings = 'settings of companies, contracts and the installation'
const technical = 'keys, counters and queues of the service'
const files = 'files of a company, whole'

/** The tables that this district writes. */
export const personalData = {
  shipment: {
    copy: 'its items are given',
    searched: 'carrier_protocol',
    account: 'sent_by sent_address',
    none: 'status layout_id sent_trace_id',
  },
  shipment_answer_file: { copy: 'names of files', searched: 'name', none: 'error' },
  shipment_delivery: {
    copy: technical,
    account: 'requested_by requested_address',
    none: 'channel status requested_trace_id error',
  },
  shipment_file: { copy: files, erased: 'content', none: 'name media_type sha256' },
  shipment_item: {
    copy: {
      // Those of a change of company are of its destination.
      of: `shipment_item.movement_company_id = $1 and (shipment_item.company_id = $1 or shipment_item.movement_company_id <> shipment_item.company_id)
      and ${ofMovements('shipment_item.enrollment_id')}`,
      omit: [
        'company_id',
        'movement_company_id',
        'shipment_id',
        'unfinished_enrollment_id',
        'unfinished_side',
        'waiting_enrollment_id',
        'dependent_benefit_ids',
        'acknowledgement',
      ],
      add: `(select jsonb_build_object('carrier-name', carrier.name, 'carrier-tax-id', carrier.tax_id, 'ans-registration', carrier.ans_registration,
        'contract-number', contract.contract_number, 'sub-contract', nullif(contract.sub_contract, ''), 'channel', contract.channel,
        'number', shipment.number, 'sent-at', iso(shipment.sent_at), 'closed-at', iso(shipment.closed_at))
      from shipment join contract on contract.company_id = shipment.company_id and contract.id = shipment.contract_id
      join carrier on carrier.id = contract.carrier_id
      where shipment.company_id = shipment_item.company_id and shipment.id = shipment_item.shipment_id)`,
      orderBy: 'shipment_item.updated_at, shipment_item.enrollment_id',
    },
    erased: 'carrier_protocol carrier_message acknowledgement',
    searched: 'carrier_protocol carrier_message',
    replacedOfPeople: 'acknowledgement',
    none: 'status reason sheets side unfinished_side carrier_code',
  },
  carrier_file: {
    copy: 'its lines are given',
    erased: 'storage_key',
    searched: 'name',
    account: 'created_by',
    replaced: 'problems',
    none: 'kind invoice_kind reference_month layout_id sha256 status',
  },
  carrier_line: {
    copy: {
      of: `carrier_line.company_id = $1 and (carrier_line.benefit_id in (
      select benefit.id from benefit where benefit.company_id = $1 and benefit.member_id = $2)
      or carrier_line.benefit_id is null and carrier_line.tax_id = $3)`,
      omit: ['company_id', 'file_id', 'kind', 'unread', 'stated_total', 'summed_total'],
      add: `(select jsonb_build_object('carrier-file-kind', carrier_file.kind,
        'reference-month', carrier_file.reference_month, 'carrier-name', carrier.name)
      from carrier_file join contract on contract.company_id = carrier_file.company_id and contract.id = carrier_file.contract_id
      join carrier on carrier.id = contract.carrier_id
      where carrier_file.company_id = carrier_line.company_id and carrier_file.id = carrier_line.file_id)`,
      orderBy: 'carrier_line.file_id, carrier_line.line_number',
    },
    erased: 'card_number certificate dependent_code tax_id employee_id name details',
    searchedForCpf: 'card_number certificate employee_id name record plan_code entry_code',
    replaced: 'problems unread',
    replacedOfPeople: 'details',
    none: 'kind member_type dependent_type entry_type entry_period matched_by',
  },
  discrepancy: {
    copy: {
      of: ofBenefits('discrepancy'),
      omit: ['company_id', 'reconciliation_id', 'assignee', 'request_id', 'claim_id'],
      orderBy: 'discrepancy.created_at, discrepancy.id',
    },
    erased: 'expected found',
    searched: 'note',
    searchedForCpf: 'expected found',
    account: 'assignee',
    none: 'class cover_month explanation status',
  },
  reconciliation: { copy: 'its discrepancies are given', account: 'created_by', none: 'kind reference_month status' },
  contract_channel: { copy: settings, account: 'settings', none: 'sftp_password sftp_private_key connector_secret' },
} as const satisfies PersonalData
